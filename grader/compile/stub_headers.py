"""Stub headers for what NVRTC cannot read: the standard library of C and C++, and libraries that serve host code only.

The files in ``headers/`` declare what device code can use. Headers named in ``headers/host_only.txt`` offer nothing to
device code and become empty files. Of Thrust, only the headers named in ``headers/thrust_on_device.txt`` are read.
"""

from functools import cache
from importlib import resources

PRELUDE = "grader_prelude.h"
"""The declarations that nvcc includes implicitly and that kernels can use; included before every unit."""

TOOLKIT_OVERRIDES = {"thrust/detail/complex/stream.h": ""}
"""Headers that the toolkit's own headers include and that hold host code only, each with the text read instead."""

_CONTENT = {
    PRELUDE: "prelude.h",
    "algorithm": "algorithm.h",
    "cfloat": "float.h",
    "climits": "limits.h",
    "cmath": "math.h",
    "cstddef": "stddef.h",
    "cstdint": "stdint.h",
    "cub/cub.cuh": "cub.h",
    "cub/util_allocator.cuh": "cub_on_host.h",
    "float.h": "float.h",
    "inttypes.h": "stdint.h",
    "limits": "numeric_limits.h",
    "limits.h": "limits.h",
    "math.h": "math.h",
    "stddef.h": "stddef.h",
    "stdint.h": "stdint.h",
    "sys/types.h": "sys_types.h",
    "type_traits": "type_traits.h",
}

_HOST_LIBRARIES = {"thrust/": "thrust.h", "cub/device/": "cub_on_host.h"}
"""Folders of headers that only host code can use, each with the stub for every header in it."""


@cache
def stub_header(name: str) -> str | None:
    """The text of the stub for ``#include <name>``; ``None`` if there is none."""
    if name in _CONTENT:
        return _read(_CONTENT[name])
    if name in _listed("thrust_on_device.txt"):
        return None
    for folder, file in _HOST_LIBRARIES.items():
        if name.startswith(folder):
            return _read(file)
    return "" if name in _listed("host_only.txt") else None


@cache
def _listed(file: str) -> frozenset[str]:
    return frozenset(_read(file).split())


def _read(file: str) -> str:
    return resources.files("grader.compile").joinpath("headers", file).read_text(encoding="utf-8")
