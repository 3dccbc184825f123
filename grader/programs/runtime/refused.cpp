// Every function of the runtime that is declared but not carried out: a call names itself, and the program ends.
#include "wire.h"
#include <cstring>
#include <unistd.h>

namespace {
[[gnu::noinline]] int refuse(const char *name) {
    grader::ask(grader::Call::Refused, {}, name, strlen(name));
    _exit(95);
}
}  // namespace

#define REFUSED(name) extern "C" __attribute__((visibility("default"))) int name() { return refuse(#name); }
#include "refused_names.h"
