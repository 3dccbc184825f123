"""Stub headers for the host headers that students include: NVRTC comes without a C or C++ standard library.

The files in ``headers/`` declare what device code can use. Headers named in ``headers/host_only.txt`` offer nothing to
device code and become empty files.
"""

from functools import cache
from importlib import resources

PRELUDE = "grader_prelude.h"
"""The declarations that nvcc includes implicitly and that kernels can use; included before every unit."""

_CONTENT = {
    PRELUDE: "prelude.h",
    "cfloat": "float.h",
    "climits": "limits.h",
    "cmath": "math.h",
    "cstddef": "stddef.h",
    "cstdint": "stdint.h",
    "float.h": "float.h",
    "limits": "numeric_limits.h",
    "limits.h": "limits.h",
    "math.h": "math.h",
    "stddef.h": "stddef.h",
    "stdint.h": "stdint.h",
}


@cache
def stub_header(name: str) -> str | None:
    """The text of the stub for ``#include <name>``; ``None`` if there is none."""
    if name in _CONTENT:
        return _read(_CONTENT[name])
    return "" if name in _host_only() else None


@cache
def _host_only() -> frozenset[str]:
    return frozenset(_read("host_only.txt").split())


def _read(file: str) -> str:
    return resources.files("grader.compile").joinpath("headers", file).read_text(encoding="utf-8")
