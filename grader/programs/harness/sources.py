"""The C++ files around a student's function: ``main.cpp``, and a generated call."""

from collections.abc import Sequence
from importlib import resources

from grader.model.kernel import Param

_CALL_H = """\
namespace grader {{
const unsigned PARAMETERS = {parameters}, RETURNED_COUNT = {count};
const unsigned RETURNED[] = {{{returned}}};
int call(char *const *at), prepare(char *const *at), finish(char *const *at);
}}  // namespace grader
"""

_CALL_CPP = """\
#include "call.h"
int {function}({declared});
int grader::call(char *const *at) {{ return {function}({passed}); }}
"""

HOOKS = ("prepare", "finish")
"""Functions that a program may have beside ``function``, with the same parameters: ``function_prepare`` is called once
before it, ``function_finish`` once after it."""

_HOOK_CPP = """\
__attribute__((weak)) int {function}_{hook}({declared});
int grader::{hook}(char *const *at) {{ return {function}_{hook} ? {function}_{hook}({passed}) : 0; }}
"""


def returned(params: Sequence[Param]) -> tuple[int, ...]:
    """The indices of the parameters that hold the answer."""
    return tuple(index for index, param in enumerate(params) if param.is_array and not param.const)


def harness_sources(function: str, params: Sequence[Param]) -> dict[str, bytes]:
    """The files to build with those that define ``int function(params)``, by name."""
    indices = returned(params)
    header = _CALL_H.format(
        parameters=len(params), count=len(indices), returned=", ".join(map(str, indices)) or "0"
    )
    words = {
        "function": function,
        "declared": ", ".join(param.c_declaration for param in params),
        "passed": ", ".join(_passed(param, index) for index, param in enumerate(params)),
    }
    call = _CALL_CPP.format(**words) + "".join(_HOOK_CPP.format(hook=hook, **words) for hook in HOOKS)
    main = (resources.files(__package__) / "main.cpp").read_bytes()
    return {"main.cpp": main, "call.h": header.encode(), "call.cpp": call.encode()}


def _passed(param: Param, index: int) -> str:
    const = "const " if param.const or not param.is_array else ""
    pointer = f"reinterpret_cast<{const}{param.dtype.c_name} *>(at[{index}])"
    return pointer if param.is_array else f"*{pointer}"
