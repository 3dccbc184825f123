"""The system's files that a program in a sandbox needs: all of them, or only what a worker loads."""

import os
import sys
import sysconfig
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from grader.sandbox.loader_cache import cached_libraries

SYSTEM = tuple(map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")))
"""The folders with the system's programs and libraries. Many distributions make all but the first links into it."""

LINKER_FILES = (Path("/etc/ld.so.cache"), Path("/etc/alternatives"))
"""How the loader finds libraries. Debian selects some of them through links in the second."""

LOADED_FOR_A_GPU = (Path("/usr/local/cuda"), Path("/usr/share/nvidia"))
"""What CUDA reads besides libraries: a toolkit where NVIDIA's packages put it, and the driver's own data."""

_LOCALES = Path("/usr/lib/locale")
_LIBRARY_FOLDERS = tuple(
    Path(top, name)
    for top in ("/usr", "/")
    for name in ("lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu", "lib64")
)
"""Folders that hold libraries and little else, on merged and separate ``/usr``."""


@cache
def loaded_by_workers() -> tuple[Path, ...]:
    """The interpreter, its standard library, and the libraries that the loader finds. No other program."""
    return (*interpreter(), *_libraries(), _LOCALES)


def interpreter() -> Iterator[Path]:
    """The interpreter under the name that starts it and its own, and the files that it reads to start."""
    program = Path(sys.executable)
    yield from (program, program.resolve(), Path(sys.prefix) / "pyvenv.cfg")
    base = {"base": sys.base_prefix, "platbase": sys.base_exec_prefix}
    base |= {f"installed_{name}": value for name, value in base.items()}
    yield from (Path(sysconfig.get_path(name, vars=base)) for name in ("stdlib", "platstdlib"))
    shared = sysconfig.get_config_vars("LIBDIR", "INSTSONAME")
    if all(shared):
        yield Path(*shared)
    if not Path(sys.base_prefix).is_relative_to("/usr"):
        # An interpreter with a folder of its own may have brought further libraries.
        yield Path(sys.base_prefix) / "lib"


def _libraries() -> Iterator[Path]:
    """The folders of libraries, and the single files that the loader's cache names elsewhere."""
    folders = [folder for folder in _LIBRARY_FOLDERS if folder.is_dir() and folder.resolve() == folder]
    yield from folders
    for path in cached_libraries():
        resolved = Path(os.path.realpath(path.parent), path.name)
        if not any(map(resolved.is_relative_to, folders)):
            yield resolved
