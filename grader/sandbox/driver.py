"""The locations of the NVIDIA driver's libraries on this machine."""

import os
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

_LINKER = "/sbin/ldconfig"
_LINKER_SECONDS = 10

_FOLDERS = (
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/local/nvidia/lib64",
)
"""Folders where distributions and cluster software install them."""

_NAMES = ("libcuda.so.1", "libnvidia-ptxjitcompiler.so.1", "libnvidia-nvvm.so.*", "libnvidia-gpucomp.so.*")
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
    return [Path(path) for path in (*configured, *_cached(), *_FOLDERS)]


def _cached() -> list[str]:
    if not Path(_LINKER).is_file():
        return []
    listing = subprocess.run(  # noqa: S603 - a system command
        [_LINKER, "-p"], capture_output=True, text=True, check=False, timeout=_LINKER_SECONDS
    )
    return re.findall(r"=> (/.*)/libcuda\.so\.1$", listing.stdout, re.MULTILINE)
