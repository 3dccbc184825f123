"""What a worker in a namespace of its own sees of the machine's files, as arguments of ``bwrap``.

The software it runs, read-only, and nothing else: no home, no submission, no lab. Packages of labs are covered where
they are installed beside that software, because they carry the model answers with them.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import grader
from grader.labs.registry import ENTRY_POINT_GROUP

SCRATCH = Path("/tmp")  # noqa: S108 - the worker's own, which nobody else sees
"""The only folder a worker can write to. It is memory, and is gone with the worker."""

_SHARED_MEMORY_BYTES = 64 * 2**20
"""What the GPU driver gets for files that it shares between the processes of a user."""

_EMPTY_BYTES = 4096

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_LINKER = ("/etc/ld.so.cache", "/etc/alternatives")
_PROC = Path("/proc")
_PLACES = ("LD_LIBRARY_PATH", "CUDA_PATH", "CUDA_HOME")
_PACKAGE = Path(grader.__file__).parent


def mount_arguments(
    scratch_bytes: int, read_only: list[Path], devices: list[Path], writable: Sequence[Path] = ()
) -> list[str]:
    """The arguments: ``read_only``, ``devices`` and ``writable`` are seen besides what every worker needs."""
    return [
        *_system(),
        # First, so that it does not cover software that is installed below it.
        *_memory(SCRATCH, scratch_bytes),
        *_bound("--ro-bind", _outermost([*_software(), *read_only])),
        *_covered(),
        *_bound("--bind", writable),
        *("--proc", "/proc"),
        # Under a grader that is root, the kernel's settings would be the worker's to write: they belong to its user.
        *(_kernels_own() if devices else ("--remount-ro", "/proc")),
        *("--dev", "/dev"),
        *_gpu(devices),
        # These two are memory as well, without a bound of their own.
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
    for name in _LINKER:
        yield from ("--ro-bind-try", name, name)


def _software() -> list[Path]:
    """The interpreter, what is installed for it, this package, and libraries that the environment points at."""
    installed = [name for name in sys.path if Path(name).name in {"site-packages", "dist-packages"}]
    places = [place for name in _PLACES for place in os.environ.get(name, "").split(os.pathsep)]
    found = [Path(name) for name in (sys.prefix, sys.base_prefix, *installed, *places) if name]
    return [_PACKAGE, Path(sys.base_prefix).resolve(), *(path for path in found if path.is_absolute())]


def _outermost(paths: list[Path]) -> list[Path]:
    """``paths`` that exist, without those inside another or inside the system's own folders."""
    kept: list[Path] = []
    for path in sorted({path for path in paths if path.exists()}):
        if not any(path.is_relative_to(outer) for outer in [*map(Path, _SYSTEM), *kept]):
            kept.append(path)
    return kept


def _bound(how: str, paths: Sequence[Path]) -> Iterator[str]:
    for path in paths:
        yield from (how, str(path), str(path))


def _kernels_own() -> Iterator[str]:
    """All in ``/proc`` that is not a process's, read-only: CUDA does not start where it cannot write about itself."""
    own = [path for path in _PROC.iterdir() if not path.name.isdecimal() and not path.is_symlink()]
    return _bound("--ro-bind", sorted(own))


def _gpu(devices: list[Path]) -> Iterator[str]:
    if devices:
        yield from _bound("--dev-bind", devices)
        yield from _memory(Path("/dev/shm"), _SHARED_MEMORY_BYTES)  # noqa: S108 - as above


def _memory(path: Path, size: int) -> Iterator[str]:
    yield from ("--size", str(size), "--tmpfs", str(path))


def _covered() -> Iterator[str]:
    """Empty folders in place of Grader's own labs and of every package that brings some."""
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
