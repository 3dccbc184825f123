"""The locations of the NVIDIA driver's libraries on this machine."""

import os
from collections.abc import Iterable
from pathlib import Path

from grader.sandbox.loader_cache import cached_libraries

_DRIVER = "libcuda.so.1"

_FOLDERS = (
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/local/nvidia/lib64",
)
"""Folders where distributions and cluster software install them."""

_NAMES = (_DRIVER, "libnvidia-ptxjitcompiler.so.1", "libnvidia-nvvm.so.*", "libnvidia-gpucomp.so.*")
"""The library that starts kernels and those that compile PTX; the last two are loaded by the second."""


def driver_libraries(folders: Iterable[Path] | None = None) -> dict[str, Path]:
    """The driver's files that CUDA programs load, by library name; the first folder that has one counts.

    ``folders`` defaults to the loader's search path.
    """
    found: dict[str, Path] = {}
    for folder in _searched() if folders is None else folders:
        for name in _NAMES:
            for path in sorted(folder.glob(name)):
                found.setdefault(path.name, path.resolve())
    return found


def _searched() -> list[Path]:
    """The folders of ``LD_LIBRARY_PATH``, those of libcuda in the loader's cache, and the usual ones."""
    configured = [path for path in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep) if path]
    cached = [path.parent for path in cached_libraries() if path.name == _DRIVER]
    return [*map(Path, configured), *cached, *map(Path, _FOLDERS)]
