"""Where the libraries of NVIDIA's driver are on this machine."""

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
"""Where distributions and cluster software keep them."""

_NAMES = ("libcuda.so.1", "libnvidia-ptxjitcompiler.so.1", "libnvidia-nvvm.so.*", "libnvidia-gpucomp.so.*")
"""What starts kernels, and what compiles PTX for the device: the last two are loaded by the second."""


def driver_libraries(folders: Iterable[Path] | None = None) -> dict[str, Path]:
    """The files that CUDA programs load from the driver, by the name they are loaded by; the first folder counts.

    ``folders`` are those that the loader looks in, unless they are given.
    """
    found: dict[str, Path] = {}
    for folder in _searched() if folders is None else folders:
        for name in _NAMES:
            for path in sorted(folder.glob(name)):
                found.setdefault(path.name, path.resolve())
    return found


def _searched() -> list[Path]:
    """The folders of ``LD_LIBRARY_PATH``, those that the loader's cache knows libcuda in, and the usual ones."""
    wished = [place for place in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep) if place]
    return [Path(place) for place in (*wished, *_cached(), *_FOLDERS)]


def _cached() -> list[str]:
    if not Path(_LINKER).is_file():
        return []
    told = subprocess.run(  # noqa: S603 - a command of the system's own
        [_LINKER, "-p"], capture_output=True, text=True, check=False, timeout=_LINKER_SECONDS
    )
    return re.findall(r"=> (/.*)/libcuda\.so\.1$", told.stdout, re.MULTILINE)
