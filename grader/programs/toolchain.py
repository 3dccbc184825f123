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
class Toolchain:
    """``nvcc``, its folder of headers, and the C++ compiler; ``version`` is what both say of themselves."""

    nvcc: Path
    include: Path
    cxx: Path
    version: str


def find_toolchain() -> Toolchain:
    """The compilers of this machine: nvcc of the installed package, or else of a toolkit.

    Raises: ``UserError`` that names what is missing and how to get it.
    """
    nvcc = _of_package() or _of_toolkit()
    if nvcc is None:
        msg = "NVIDIA's compiler nvcc is not installed, and a whole program needs it."
        raise UserError(msg, hint=_INSTALL)
    cxx = shutil.which("g++")
    if cxx is None:
        msg = "The C++ compiler g++ is not installed, and a whole program needs it."
        raise UserError(msg, hint="Install it, on Debian and Ubuntu with `apt install g++`.")
    include = nvcc.parent.parent / "include"
    version = _version(nvcc) + _version(Path(cxx))
    return Toolchain(nvcc=nvcc, include=include, cxx=Path(cxx), version=version)


def _of_package() -> Path | None:
    try:
        found = importlib.util.find_spec(_PACKAGE)
    except ModuleNotFoundError:
        return None
    folders = [] if found is None else found.submodule_search_locations or []
    return next((path for folder in folders if (path := Path(folder) / "bin" / "nvcc").is_file()), None)


def _of_toolkit() -> Path | None:
    named = shutil.which("nvcc")
    folders = [Path(home) for name in _HOMES if (home := os.environ.get(name))] + [_USUAL_HOME]
    found = [*([Path(named).resolve()] if named else []), *(home / "bin" / "nvcc" for home in folders)]
    with_headers = (each for each in found if (each.parent.parent / "include" / "cuda_runtime.h").is_file())
    return next((each for each in with_headers if each.is_file()), None)


def _version(compiler: Path) -> str:
    """What the compiler says of itself. Raises: ``UserError`` where it cannot run."""
    try:
        done = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True, timeout=60)  # noqa: S603 - a compiler of this machine
    except (OSError, subprocess.SubprocessError) as error:
        msg = f"The compiler {compiler.name} does not run: {error}."
        raise UserError(msg, hint=_INSTALL) from error
    return done.stdout
