"""The files of the machine that a sandboxed worker sees, as arguments of ``bwrap``.

A worker sees the software it runs, read-only, and nothing else: no home, no submission, no lab. Lab packages contain
reference solutions, so where they are installed beside that software, empty folders cover them, and empty files the
lists of what they installed.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import Distribution, entry_points
from importlib.util import find_spec
from pathlib import Path

import grader
from grader.labs.registry import ENTRY_POINT_GROUP
from grader.sandbox.system_files import LINKER_FILES, SYSTEM

SCRATCH = Path("/tmp")  # noqa: S108 - private to the worker
"""The only folder a worker can write to: memory that is freed with the worker."""

_SHARED_MEMORY_BYTES = 64 * 2**20
"""Memory for files that the GPU driver shares between the processes of a user."""

_EMPTY_BYTES = 4096
_FILE_LIST = "RECORD"
"""What an installer calls the list of a package's files and their digests."""

_PROC = Path("/proc")
_OF_THE_MACHINE = """
    acpi asound config.gz crypto iomem ioports interrupts kallsyms kcore key-users keys kmsg kpagecgroup kpagecount
    kpageflags latency_stats mtrr pagetypeinfo sched_debug scsi slabinfo sysrq-trigger timer_list
    timer_stats vmallocinfo
"""
"""Entries of ``/proc`` on keys, addresses and hardware, which are not of the worker."""

_PATH_VARIABLES = ("LD_LIBRARY_PATH", "CUDA_PATH", "CUDA_HOME")
_PACKAGE = Path(grader.__file__).parent


def mount_arguments(
    scratch_bytes: int, read_only: Sequence[Path], devices: Sequence[Path], writable: Sequence[Path] = ()
) -> list[str]:
    """The arguments that mount installed packages, and ``read_only``, ``devices`` and ``writable``."""
    return [
        *_links(),
        # First, so that it does not cover software that is installed below it.
        *_memory(SCRATCH, scratch_bytes),
        *_bound("--ro-bind", _outermost([*_packages(), *LINKER_FILES, *read_only])),
        *_covered(),
        *_bound("--bind", writable),
        *("--proc", "/proc"),
        # Where the grader is root, the worker could write the kernel's settings, which belong to its user.
        *(_proc_settings() if devices else ("--remount-ro", "/proc")),
        *_proc_of_the_machine(),
        *("--dev", "/dev"),
        *_gpu(devices),
        # These two are memory as well, without a size limit.
        *("--remount-ro", "/dev"),
        *("--remount-ro", "/"),
    ]


def _links() -> Iterator[str]:
    for path in SYSTEM:
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))


def _packages() -> list[Path]:
    """This package, the installed ones, and the library paths in the environment."""
    installed = [name for name in sys.path if Path(name).name in {"site-packages", "dist-packages"}]
    libraries = [path for name in _PATH_VARIABLES for path in os.environ.get(name, "").split(os.pathsep)]
    found = [Path(name) for name in (*installed, *libraries) if name]
    return [_PACKAGE, *(path for path in found if path.is_absolute())]


def _outermost(paths: Sequence[Path]) -> list[Path]:
    """The existing ``paths``, without links that are made anyway and without those inside another one."""
    kept: list[Path] = []
    linked = [path for path in SYSTEM if path.is_symlink()]
    for path in sorted({path for path in paths if path.exists() and path not in linked}):
        if not any(map(path.is_relative_to, kept)):
            kept.append(path)
    return kept


def _bound(how: str, paths: Sequence[Path]) -> Iterator[str]:
    for path in paths:
        yield from (how, str(path), str(path))


def _proc_settings() -> Iterator[str]:
    """The entries of ``/proc`` other than processes, read-only. CUDA must be able to write to its own process's."""
    own = [path for path in _PROC.iterdir() if not path.name.isdecimal() and not path.is_symlink()]
    return _bound("--ro-bind", sorted(own))


def _proc_of_the_machine() -> Iterator[str]:
    for path in (_PROC / name for name in _OF_THE_MACHINE.split()):
        if path.is_dir():
            yield from _empty(path)
        elif path.exists():
            yield from ("--ro-bind", os.devnull, str(path))


def _gpu(devices: Sequence[Path]) -> Iterator[str]:
    if devices:
        yield from _bound("--dev-bind", devices)
        yield from _memory(Path("/dev/shm"), _SHARED_MEMORY_BYTES)  # noqa: S108 - private to the worker


def _memory(path: Path, size: int) -> Iterator[str]:
    yield from ("--size", str(size), "--tmpfs", str(path))


def _covered() -> Iterator[str]:
    """Nothing where Grader's own labs, every lab package, and the lists of the files of both are."""
    yield from _empty(_PACKAGE / "labs")
    points = entry_points(group=ENTRY_POINT_GROUP)
    for package in sorted({point.module.split(".")[0] for point in points} - {_PACKAGE.name}):
        spec = find_spec(package)
        if spec is None:
            continue
        for folder in spec.submodule_search_locations or ():
            yield from _empty(Path(folder))
        if spec.submodule_search_locations is None and spec.origin is not None:
            yield from ("--ro-bind", os.devnull, spec.origin)
    for path in sorted({path for point in points if point.dist for path in _file_lists(point.dist)}):
        yield from ("--ro-bind", os.devnull, str(path))


def _file_lists(installed: Distribution) -> list[Path]:
    lists = (
        Path(str(installed.locate_file(file))) for file in installed.files or () if file.name == _FILE_LIST
    )
    return [path for path in lists if path.exists()]


def _empty(path: Path) -> Iterator[str]:
    yield from _memory(path, _EMPTY_BYTES)
    yield from ("--remount-ro", str(path))
