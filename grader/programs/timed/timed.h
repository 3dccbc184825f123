#pragma once
#include "call.h"
#include <cstddef>
namespace grader {
extern size_t sizes[PARAMETERS];  // bytes of each parameter
int prepare(char *const *at);     // what the program does once, before the clock
}  // namespace grader
