// Every function of the runtime that is declared but not carried out: a call names itself, and the program ends.
#include "refused.h"
#include "wire.h"
#include <cstring>
#include <unistd.h>

namespace grader {
void refuse(const char *name) {
    ask(Call::Refused, {}, name, strlen(name));
    _exit(95);
}
}  // namespace grader

#define REFUSED(name) extern "C" __attribute__((visibility("default"))) void name() { grader::refuse(#name); }
#include "refused_names.h"
