#pragma once
#include "call.h"
#include <cstddef>
namespace grader {
extern size_t sizes[PARAMETERS];  // bytes of each parameter
}  // namespace grader
