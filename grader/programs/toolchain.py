"""The compilers that a program needs: nvcc, of a package or a toolkit, and the machine's C++ compiler."""

import importlib.util
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from grader.errors import UserError

_PACKAGE = "nvidia.cu13"
_HOMES = ("CUDA_HOME", "CUDA_PATH")
_USUAL_HOME = Path("/usr/local/cuda")
_INSTALL = 'Install it with `pip install "grader[programs]"`; `grader doctor` shows what is there.'


@dataclass(frozen=True, slots=True, kw_only=True)
class HostCompiler:
    """The C++ compiler, and the folder of CUDA's headers; ``version`` is what the compiler says of itself."""

    include: Path
    cxx: Path
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolchain(HostCompiler):
    """Also ``nvcc``, which ``version`` covers too."""

    nvcc: Path


def find_toolchain() -> Toolchain:
    """The compilers of this machine: nvcc of the installed package, or else of a toolkit.

    Raises: ``UserError`` that names what is missing and how to get it.
    """
    nvcc = _in_package("bin/nvcc") or _of_toolkit("bin/nvcc")
    if nvcc is None:
        msg = "NVIDIA's compiler nvcc is not installed, and a whole program needs it."
        raise UserError(msg, hint=_INSTALL)
    cxx = _cxx()
    version = _version(nvcc) + _version(cxx)
    return Toolchain(nvcc=nvcc, include=nvcc.parent.parent / "include", cxx=cxx, version=version)


def find_host_compiler() -> HostCompiler:
    """The C++ compiler of this machine, and CUDA's headers, of the installed package or of a toolkit.

    Raises: ``UserError`` that names what is missing and how to get it.
    """
    header = _in_package("include/cuda.h") or _of_toolkit("include/cuda.h")
    if header is None:
        msg = "CUDA's headers are not installed, and the driver for Numba programs needs them."
        raise UserError(msg, hint="Install them with `pip install nvidia-cuda-runtime`.")
    cxx = _cxx()
    return HostCompiler(include=header.parent, cxx=cxx, version=_version(cxx))


def _cxx() -> Path:
    found = shutil.which("g++")
    if found is None:
        msg = "The C++ compiler g++ is not installed, and a whole program needs it."
        raise UserError(msg, hint="Install it, on Debian and Ubuntu with `apt install g++`.")
    return Path(found)


def _in_package(name: str) -> Path | None:
    try:
        found = importlib.util.find_spec(_PACKAGE)
    except ModuleNotFoundError:
        return None
    folders = [] if found is None else found.submodule_search_locations or []
    return next((path for folder in folders if (path := Path(folder) / name).is_file()), None)


def _of_toolkit(name: str) -> Path | None:
    """A file of a toolkit that has headers: that of the nvcc in PATH, of a home, or in the usual folder."""
    named = shutil.which("nvcc")
    homes = [Path(named).resolve().parent.parent] if named else []
    homes += [Path(home) for variable in _HOMES if (home := os.environ.get(variable))] + [_USUAL_HOME]
    with_headers = (each for each in homes if (each / "include" / "cuda_runtime.h").is_file())
    return next((path for each in with_headers if (path := each / name).is_file()), None)


def _version(compiler: Path) -> str:
    """What the compiler says of itself. Raises: ``UserError`` where it cannot run."""
    try:
        done = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True, timeout=60)  # noqa: S603 - a compiler of this machine
    except (OSError, subprocess.SubprocessError) as error:
        msg = f"The compiler {compiler.name} does not run: {error}."
        raise UserError(msg, hint=_INSTALL) from error
    return done.stdout
