"""Limits that a worker sets on itself before it handles student code."""

import ctypes
import os
import resource
import signal

import psutil

from grader.worker.messages import WorkerLimits

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def apply_limits(limits: WorkerLimits) -> None:
    """Lower this process's resource limits to ``limits``; never raise one that is already lower."""
    _lower(resource.RLIMIT_CORE, 0)
    for kind, value in (
        (resource.RLIMIT_AS, limits.memory_bytes),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_FSIZE, limits.file_bytes),
    ):
        if value:
            _lower(kind, value)
    if limits.processes:
        # The kernel counts all threads of the user, not of this process, so add those that exist already.
        _lower(resource.RLIMIT_NPROC, _threads_of_user() + limits.processes)


def die_with_parent(parent: int) -> None:
    """Ask the kernel to kill this process when the thread that started it ends; exit at once if it already has."""
    end_with_parent(parent, signal.SIGKILL)


def end_with_parent(parent: int, number: signal.Signals) -> None:
    """Ask the kernel for the signal ``number`` when the thread that started this process ends.

    Exit at once if the process ``parent`` already has; 0: it is not known.
    """
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, number)
    if parent and os.getppid() != parent:
        os._exit(1)


def adopt_orphans() -> None:
    """Become the parent of every descendant when its own parent ends, so that it stays in the process tree."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _lower(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(kind, (value, value))


def _threads_of_user() -> int:
    user = os.getuid()
    total = 0
    for process in psutil.process_iter(["uids", "num_threads"]):
        uids = process.info["uids"]
        if uids is not None and uids.real == user:
            total += process.info["num_threads"] or 1
    return total
