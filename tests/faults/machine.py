"""Simulate a small machine: a disk of a few mebibytes, and a process group with little memory."""

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

MIB = 2**20

_GROUPS = Path("/sys/fs/cgroup")


def _mounts_are_made() -> bool:
    command = ["/usr/bin/unshare", "--mount", "/bin/mount", "-t", "tmpfs", "none", "/mnt"]
    return os.geteuid() == 0 and subprocess.run(command, capture_output=True, check=False).returncode == 0


def _memory_groups() -> Path | None:
    """Return the cgroup folder in which memory-limited groups are made; supports cgroup v1 and v2."""
    old, new = _GROUPS / "memory", _GROUPS
    if os.access(old / "memory.limit_in_bytes", os.F_OK) and os.access(old, os.W_OK) and os.geteuid() == 0:
        return old
    controlled = new / "cgroup.subtree_control"
    if controlled.exists() and "memory" in controlled.read_text("ascii") and os.access(controlled, os.W_OK):
        return new
    return None


needs_mounts = pytest.mark.skipif(not _mounts_are_made(), reason="this user cannot mount a small disk")
needs_memory_groups = pytest.mark.skipif(
    _memory_groups() is None, reason="this user cannot bound the memory of a group of processes"
)


SET_AT_EVERY_LOOK = """
import itertools, time
import grader.course.result_writer, grader.course.scoring
days = itertools.cycle([3, -3, 400, 0])
true_time = time.time
time.time = lambda: true_time() + next(days) * 86400

class Stepped(grader.course.result_writer.datetime):
    @classmethod
    def now(cls, tz):
        return cls.fromtimestamp(time.time(), tz)

grader.course.result_writer.datetime = grader.course.scoring.datetime = Stepped
"""
"""Python that gives a grader a wall clock that jumps forward or backward at every reading."""


@contextlib.contextmanager
def small_disk(folder: Path, size: int) -> Iterator[None]:
    """Mount a separate disk of ``size`` bytes at ``folder``."""
    command = ["/bin/mount", "-t", "tmpfs", "-o", f"size={size},nr_inodes=1000", "small-disk", str(folder)]
    subprocess.run(command, check=True)
    try:
        yield
    finally:
        subprocess.run(["/bin/umount", "--lazy", str(folder)], check=True)


@contextlib.contextmanager
def filled(folder: Path) -> Iterator[None]:
    """Fill the disk of ``folder``: no byte is free, and no file can be made there."""
    names = [folder / "fill"]
    with names[0].open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(bytes(MIB)):
            pass
    with contextlib.suppress(OSError):
        for number in range(1000):
            names.append(folder / f"fill-{number}")
            names[-1].touch()
    try:
        yield
    finally:
        for name in names:
            name.unlink(missing_ok=True)


@contextlib.contextmanager
def small_memory(pid: int, size: int) -> Iterator[None]:
    """Let the process ``pid`` use ``size`` bytes more than it does now; beyond that, the kernel kills it."""
    root = _memory_groups()
    assert root is not None
    group = root / f"small-memory-{os.getpid()}"
    group.mkdir()
    try:
        old = group / "memory.limit_in_bytes"
        (old if old.exists() else group / "memory.max").write_text(str(size), "ascii")
        (group / "cgroup.procs").write_text(str(pid), "ascii")
        yield
    finally:
        # The kernel removes a process a little after it ends.
        for _ in range(100):
            with contextlib.suppress(OSError):
                group.rmdir()
                break
