"""A lock per GPU across all graders of a machine: two workers that share a GPU would spoil each other's times.

A worker holds the lock during its requests that run kernels. While it starts, receives inputs, waits for the judge or
ends, it is idle on the GPU and another worker may hold the lock: contexts that others make and drop do not change a
timed kernel's time (decision 103). Each worker uses GPU memory even when it is idle, so a grader has a few per GPU.
"""

import errno
import fcntl
import os
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from grader.errors import InfrastructureError
from grader.logs import Event, log
from grader.sandbox.gpu import chosen_uuid
from grader.sandbox.gpu_use import gpu_memory_bytes
from grader.sandbox.port import CancelledError, Sandbox, Worker
from grader.sandbox.worker_proxy import WorkerProxy
from grader.worker.messages import WorkerSettings

SHARED = Path("/dev/shm")  # noqa: S108 - shared by all users and never cleaned up: a lock must stay one file
LONG_WAIT_SECONDS = 30.0
"""A wait for a GPU that lasts longer leaves a line in the log."""

_PAUSE_SECONDS = 0.01
_UNLISTED = "unlisted"
"""The name of the one lock for all GPUs where the driver lists none."""

FEWEST_WORKERS, MOST_WORKERS = 2, 6
"""Workers of one grader per GPU: one runs kernels, the others start, receive inputs or are judged."""

_BYTES_PER_WORKER = 4 * 2**30
"""A GPU with so much memory for each has room for the contexts of all, and for the inputs of the one that runs."""


def workers_on(uuid: str) -> int:
    """How many workers a grader has at once on the GPU ``uuid``: the more, the more memory it has."""
    memory = gpu_memory_bytes(uuid) or 0
    return min(MOST_WORKERS, max(FEWEST_WORKERS, memory // _BYTES_PER_WORKER))


class GpuLockingSandbox:
    """Adds the GPU lock to ``inner``, which is closed with it: only one worker at a time uses a GPU.

    Only graders with the same ``/dev/shm`` exclude each other; a grader in a container has its own.
    """

    def __init__(
        self,
        inner: Sandbox,
        cancelled: threading.Event | None = None,
        folder: Path = SHARED,
        *,
        workers: int = 0,
    ) -> None:
        """``cancelled``: when set, waiting for a GPU raises ``CancelledError``. ``folder`` holds the lock files.

        ``workers`` are there at once on the GPU; 0: as many as its memory has room for.
        """
        self._inner = inner
        self._cancelled = cancelled or threading.Event()
        self._folder = folder
        self._slots = threading.Semaphore(workers or workers_on(chosen_uuid()))

    @property
    def name(self) -> str:
        """The name of the inner sandbox."""
        return self._inner.name

    def worker(self, settings: WorkerSettings) -> Worker:
        """See the port."""
        if not settings.needs_gpu:
            return self._inner.worker(settings)
        with ExitStack() as undo:
            undo.enter_context(self._slot())
            worker = self._inner.worker(settings)
            slot = undo.pop_all()
        return LockedWorker(worker, lambda worker: _end(worker, slot), self._lock)

    def _lock(self) -> AbstractContextManager[None]:
        return gpu_lock(self._cancelled, self._folder)

    @contextmanager
    def _slot(self) -> Iterator[None]:
        """Hold one of the worker slots. Raises: ``CancelledError`` where grading is cancelled before one is free."""
        while not self._slots.acquire(timeout=_PAUSE_SECONDS):
            if self._cancelled.is_set():
                raise CancelledError
        try:
            yield
        finally:
            self._slots.release()

    def prepare(self, settings: WorkerSettings) -> None:
        """See the port."""
        self._inner.prepare(settings)

    def close(self) -> None:
        """See the port."""
        self._inner.close()


def _end(worker: Worker, slot: ExitStack) -> None:
    with slot:
        worker.close()


class LockedWorker(WorkerProxy):
    """A worker that takes the GPU lock in ``exclusive_gpu``."""

    def __init__(
        self, inner: Worker, end: Callable[[Worker], None], lock: Callable[[], AbstractContextManager[None]]
    ) -> None:
        super().__init__(inner, end)
        self._lock = lock

    def exclusive_gpu(self) -> AbstractContextManager[None]:
        """See the port."""
        return self._lock()


def gpu_lock(cancelled: threading.Event, folder: Path = SHARED) -> AbstractContextManager[None]:
    """Hold the lock of the chosen GPU. Raises: as ``locked``."""
    return locked(chosen_uuid() or _UNLISTED, cancelled, folder)


@contextmanager
def locked(gpu: str, cancelled: threading.Event, folder: Path) -> Iterator[None]:
    """Hold the lock of ``gpu`` against all other threads and processes of this machine.

    The operating system releases it when the process dies. Raises: ``CancelledError`` where ``cancelled`` is set before
    the lock is free, ``InfrastructureError`` where the lock file cannot be opened.
    """
    path = folder / f"grader-{gpu}.lock"
    wait = _Wait(gpu, cancelled)
    with ExitStack() as undo:
        # Within this process the next thread gets its turn at once; other processes are polled.
        turn = _turn(path)
        while not turn.acquire(timeout=_PAUSE_SECONDS):
            wait.check()
        undo.callback(turn.release)
        descriptor = _opened(path)
        undo.callback(os.close, descriptor)
        while not _try_lock(descriptor):
            wait.check()
            time.sleep(_PAUSE_SECONDS)
        yield


class _Wait:
    """A wait for ``gpu``, which is logged once where it is long."""

    def __init__(self, gpu: str, cancelled: threading.Event) -> None:
        self._gpu = gpu
        self._cancelled = cancelled
        self._started = time.monotonic()
        self._logged = False

    def check(self) -> None:
        """Raises: ``CancelledError``."""
        if self._cancelled.is_set():
            raise CancelledError
        waited = time.monotonic() - self._started
        if waited > LONG_WAIT_SECONDS and not self._logged:
            self._logged = True
            log(Event.GPU_WAIT_LONG, gpu=self._gpu, seconds=round(waited, 1))


_turns: dict[Path, threading.Lock] = {}
_turns_lock = threading.Lock()


def _turn(path: Path) -> threading.Lock:
    """The lock of this process's threads for the lock file at ``path``."""
    with _turns_lock:
        return _turns.setdefault(path, threading.Lock())


def _opened(path: Path) -> int:
    """The open lock file. Raises: ``InfrastructureError``."""
    try:
        return _open(path)
    except OSError as error:
        msg = f"the lock of a GPU, {path}, cannot be opened: {error.strerror}"
        raise InfrastructureError(msg) from error


def _open(path: Path) -> int:
    """Open the lock file, and make it if necessary. Raises: ``OSError``, also where it is not a regular file."""
    careful = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(path, os.O_RDONLY | careful)
    except FileNotFoundError:
        descriptor = os.open(path, os.O_RDONLY | os.O_CREAT | careful, 0o644)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file")
    return descriptor


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
