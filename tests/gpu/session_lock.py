"""A GPU lock that the processes of one test session share."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from enum import IntEnum
from pathlib import Path

GpuLock = Callable[[], AbstractContextManager[None]]


class LockMode(IntEnum):
    """Shared with other tests of the session, or exclusive."""

    SHARED = fcntl.LOCK_SH
    EXCLUSIVE = fcntl.LOCK_EX


@contextmanager
def session_lock(shared_folder: Path, mode: LockMode) -> Iterator[None]:
    """Hold the session's GPU lock in ``mode``; all processes of the session use the same ``shared_folder``."""
    with (shared_folder / "gpu.lock").open("w") as lock:
        fcntl.flock(lock, mode)
        yield
