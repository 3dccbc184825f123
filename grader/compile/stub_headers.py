"""Stand-ins for the host headers that students include: NVRTC has no C or C++ library of its own.

The files in ``headers/`` hold what device code can use of them. Those named in ``headers/host_only.txt`` have nothing
for device code and stand in as empty files.
"""

from functools import cache
from importlib import resources

PRELUDE = "grader_prelude.h"
"""What nvcc has read before a file's first line, as far as kernels can tell; included in front of every unit."""

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
    """The stand-in for ``#include <name>``; ``None`` where there is none."""
    if name in _CONTENT:
        return _read(_CONTENT[name])
    return "" if name in _host_only() else None


@cache
def _host_only() -> frozenset[str]:
    return frozenset(_read("host_only.txt").split())


def _read(file: str) -> str:
    return resources.files("grader.compile").joinpath("headers", file).read_text(encoding="utf-8")
