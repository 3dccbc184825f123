"""One GPU is one worker's at a time, whichever grader on the machine started it: two that share it time neither.

A worker has it while it starts, in its turns and while it ends. In between, while the judge looks at what it answered,
it is idle and the GPU another's. Each takes memory of the GPU, idle or not, so a grader has two of them at most.
"""

import errno
import fcntl
import os
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path

from grader.errors import InfrastructureError
from grader.model.run import EngineKind
from grader.sandbox.gpu import chosen_uuid
from grader.sandbox.port import CancelledError, Sandbox, Worker
from grader.sandbox.worker_proxy import WorkerProxy
from grader.worker.messages import WorkerSettings

SHARED = Path("/dev/shm")  # noqa: S108 - every user's, and nobody cleans it up: a lock must stay one file
_PAUSE_SECONDS = 0.01
_UNLISTED = "unlisted"
"""All GPUs share one lease where the driver does not tell them apart."""

WORKERS_PER_GPU = 2
"""Workers of one grader on a GPU: one whose kernels run, and one whose answers are looked at."""


class GpuLockingSandbox:
    """Another sandbox, whose workers with a GPU do nothing while somebody else's has it; ``inner`` is closed with it.

    Only graders that see the same ``/dev/shm`` know of each other: one in a container of its own does not count.
    """

    def __init__(
        self, inner: Sandbox, cancelled: threading.Event | None = None, folder: Path = SHARED
    ) -> None:
        """``cancelled``: when set, whoever waits for a GPU gets a ``CancelledError``. ``folder``: where locks lie."""
        self._inner = inner
        self._cancelled = cancelled or threading.Event()
        self._folder = folder
        self._places = threading.Semaphore(WORKERS_PER_GPU)

    @property
    def name(self) -> str:
        """The sandbox that the workers are in."""
        return self._inner.name

    def worker(self, settings: WorkerSettings) -> Worker:
        """See the port."""
        if settings.engine is not EngineKind.CUDA:
            return self._inner.worker(settings)
        with ExitStack() as undo:
            undo.enter_context(self._place())
            with self._turn():
                worker = self._inner.worker(settings)
            place = undo.pop_all()
        return LockedWorker(worker, lambda worker: self._end(worker, place), self._turn)

    def _turn(self) -> AbstractContextManager[None]:
        return gpu_lock(self._cancelled, self._folder)

    @contextmanager
    def _place(self) -> Iterator[None]:
        """Within it there is one worker more. Raises: ``CancelledError`` where all is to stop before there is room."""
        while not self._places.acquire(timeout=_PAUSE_SECONDS):
            if self._cancelled.is_set():
                raise CancelledError
        try:
            yield
        finally:
            self._places.release()

    def _end(self, worker: Worker, place: ExitStack) -> None:
        """What ends gives back memory, which is work for the GPU; but it ends whatever becomes of its turn."""
        with place, ExitStack() as undo:
            undo.callback(worker.close)
            with suppress(CancelledError), self._turn():
                worker.close()

    def prepare(self, settings: WorkerSettings) -> None:
        """See the port."""
        self._inner.prepare(settings)

    def close(self) -> None:
        """See the port."""
        self._inner.close()


class LockedWorker(WorkerProxy):
    """A worker that has its GPU in turns."""

    def __init__(
        self, inner: Worker, end: Callable[[Worker], None], turn: Callable[[], AbstractContextManager[None]]
    ) -> None:
        super().__init__(inner, end)
        self._turn = turn

    def exclusive_gpu(self) -> AbstractContextManager[None]:
        """See the port."""
        return self._turn()


def gpu_lock(cancelled: threading.Event, folder: Path = SHARED) -> AbstractContextManager[None]:
    """Within it the chosen GPU is nobody else's. Raises: as ``locked``."""
    return locked(chosen_uuid() or _UNLISTED, cancelled, folder)


@contextmanager
def locked(gpu: str, cancelled: threading.Event, folder: Path) -> Iterator[None]:
    """Within it nobody else has the lease of ``gpu``, neither another thread nor another process of this machine.

    The operating system takes it back from a process that dies. Raises: ``CancelledError`` where ``cancelled`` is set
    before it is free, ``InfrastructureError`` where there can be no lock.
    """
    path = folder / f"grader-{gpu}.lock"
    try:
        descriptor = _opened(path)
    except OSError as error:
        msg = f"the lock of a GPU, {path}, cannot be opened: {error.strerror}"
        raise InfrastructureError(msg) from error
    try:
        while not _taken(descriptor):
            if cancelled.wait(_PAUSE_SECONDS):
                raise CancelledError
        yield
    finally:
        os.close(descriptor)


def _opened(path: Path) -> int:
    """The lock's file, whoever made it. Raises: ``OSError``, also for what is no plain file of its own."""
    careful = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(path, os.O_RDONLY | careful)
    except FileNotFoundError:
        descriptor = os.open(path, os.O_RDONLY | os.O_CREAT | careful, 0o644)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is no plain file")
    return descriptor


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
