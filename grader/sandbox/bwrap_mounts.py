"""The files of the machine that a sandboxed worker sees, as arguments of ``bwrap``.

A worker sees the software it runs, read-only, and nothing else: no home, no submission, no lab. Lab packages contain
reference solutions, so where they are installed beside that software, empty folders cover them.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import grader
from grader.labs.registry import ENTRY_POINT_GROUP

SCRATCH = Path("/tmp")  # noqa: S108 - private to the worker
"""The only folder a worker can write to: memory that is freed with the worker."""

_SHARED_MEMORY_BYTES = 64 * 2**20
"""Memory for files that the GPU driver shares between the processes of a user."""

_EMPTY_BYTES = 4096

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_LINKER_FILES = ("/etc/ld.so.cache", "/etc/alternatives")
_PROC = Path("/proc")
_PATH_VARIABLES = ("LD_LIBRARY_PATH", "CUDA_PATH", "CUDA_HOME")
_PACKAGE = Path(grader.__file__).parent


def mount_arguments(
    scratch_bytes: int, read_only: list[Path], devices: list[Path], writable: Sequence[Path] = ()
) -> list[str]:
    """The arguments that mount what every worker needs, and ``read_only``, ``devices`` and ``writable``."""
    return [
        *_system(),
        # First, so that it does not cover software that is installed below it.
        *_memory(SCRATCH, scratch_bytes),
        *_bound("--ro-bind", _outermost([*_software(), *read_only])),
        *_covered(),
        *_bound("--bind", writable),
        *("--proc", "/proc"),
        # Where the grader is root, the worker could write the kernel's settings, which belong to its user.
        *(_proc_settings() if devices else ("--remount-ro", "/proc")),
        *("--dev", "/dev"),
        *_gpu(devices),
        # These two are memory as well, without a size limit.
        *("--remount-ro", "/dev"),
        *("--remount-ro", "/"),
    ]


def _system() -> Iterator[str]:
    for name in _SYSTEM:
        path = Path(name)
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), name)
        elif path.is_dir():
            yield from ("--ro-bind", name, name)
    for name in _LINKER_FILES:
        yield from ("--ro-bind-try", name, name)


def _software() -> list[Path]:
    """The interpreter, its installed packages, this package, and the library paths in the environment."""
    installed = [name for name in sys.path if Path(name).name in {"site-packages", "dist-packages"}]
    libraries = [path for name in _PATH_VARIABLES for path in os.environ.get(name, "").split(os.pathsep)]
    found = [Path(name) for name in (sys.prefix, sys.base_prefix, *installed, *libraries) if name]
    return [_PACKAGE, Path(sys.base_prefix).resolve(), *(path for path in found if path.is_absolute())]


def _outermost(paths: list[Path]) -> list[Path]:
    """The existing ``paths``, without those inside another one or inside a system folder."""
    kept: list[Path] = []
    for path in sorted({path for path in paths if path.exists()}):
        if not any(path.is_relative_to(outer) for outer in [*map(Path, _SYSTEM), *kept]):
            kept.append(path)
    return kept


def _bound(how: str, paths: Sequence[Path]) -> Iterator[str]:
    for path in paths:
        yield from (how, str(path), str(path))


def _proc_settings() -> Iterator[str]:
    """The entries of ``/proc`` other than processes, read-only. CUDA must be able to write to its own process's."""
    own = [path for path in _PROC.iterdir() if not path.name.isdecimal() and not path.is_symlink()]
    return _bound("--ro-bind", sorted(own))


def _gpu(devices: list[Path]) -> Iterator[str]:
    if devices:
        yield from _bound("--dev-bind", devices)
        yield from _memory(Path("/dev/shm"), _SHARED_MEMORY_BYTES)  # noqa: S108 - private to the worker


def _memory(path: Path, size: int) -> Iterator[str]:
    yield from ("--size", str(size), "--tmpfs", str(path))


def _covered() -> Iterator[str]:
    """Empty folders over Grader's own labs and over every lab package."""
    yield from _empty(_PACKAGE / "labs")
    packages = {point.module.split(".")[0] for point in entry_points(group=ENTRY_POINT_GROUP)}
    for package in sorted(packages - {_PACKAGE.name}):
        spec = find_spec(package)
        if spec is None:
            continue
        for folder in spec.submodule_search_locations or ():
            yield from _empty(Path(folder))
        if spec.submodule_search_locations is None and spec.origin is not None:
            yield from ("--ro-bind", os.devnull, spec.origin)


def _empty(path: Path) -> Iterator[str]:
    yield from _memory(path, _EMPTY_BYTES)
    yield from ("--remount-ro", str(path))
