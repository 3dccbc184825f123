"""Whose turn it is on the GPU, of the processes of one session of tests."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from enum import IntEnum
from pathlib import Path

Turn = Callable[[], AbstractContextManager[None]]


class Share(IntEnum):
    """How a process has it: beside others that do not mind, or to itself."""

    BESIDE_OTHERS = fcntl.LOCK_SH
    ALONE = fcntl.LOCK_EX


@contextmanager
def turn(shared_folder: Path, share: Share) -> Iterator[None]:
    """Within it the GPU is this process's; ``shared_folder`` is one that all of them see."""
    with (shared_folder / "gpu.lock").open("w") as lock:
        fcntl.flock(lock, share)
        yield
