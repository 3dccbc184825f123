"""A pool that starts workers ahead and ends them in the background, so that submissions wait for neither."""

import contextvars
import threading
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from typing import Self

from grader.errors import GraderError
from grader.logs import Event, log
from grader.sandbox.port import Sandbox, Worker
from grader.sandbox.worker_proxy import WorkerProxy
from grader.worker.messages import WorkerSettings

_Queue = deque[Future[Worker]]

_MAX_KINDS = 6
"""Most kinds of workers kept ready; each lab with its own limits has its own kinds."""

_STARTERS = 2
"""Least number of workers started at once: while a submission compiles, it needs one of each other kind."""

_ENDERS = 2
"""Workers ended at once."""


class PooledSandbox:
    """Wraps a sandbox and starts workers ahead, of each kind that was requested or prepared.

    Each worker is used once, and another is started to replace it. A closed worker ends in the background, at the
    latest when the pool closes. A worker on a GPU ends at once, so that the next one finds its memory free. The pool
    is as thread-safe as the inner sandbox. Use it as a context manager, or ``close`` it.
    """

    def __init__(self, inner: Sandbox, spare: int) -> None:
        """Keep ``spare`` workers of each kind ready; with 0, only ``prepare`` starts workers ahead.

        ``inner`` is closed with the pool.
        """
        self._inner = inner
        self._spare = spare
        self._lock = threading.Lock()
        self._queues: dict[WorkerSettings, _Queue] = {}  # the kind requested last is at the end
        # The threads live as long as the pool: the kernel ends a worker with the thread that started it.
        self._starters = ThreadPoolExecutor(max(spare, _STARTERS), thread_name_prefix="starting-workers")
        self._enders = ThreadPoolExecutor(_ENDERS, thread_name_prefix="ending-workers")
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """The name of the inner sandbox."""
        return self._inner.name

    def worker(self, settings: WorkerSettings) -> Worker:
        """A worker without earlier requests; see the port."""
        if not _can_start_ahead(settings):
            return self._start(settings)
        # A start that failed in the background may work now: try again here, where its error is reported.
        worker = self._take_ready(settings) or self._start(settings)
        self._fill(settings, self._spare)
        return WorkerProxy(worker, self._end_in_background)

    def prepare(self, settings: WorkerSettings) -> None:
        """Start a worker unless one is ready. Errors are not reported here; an unused worker serves a later request."""
        if _can_start_ahead(settings):
            self._fill(settings, 1)

    def close(self) -> None:
        """End the waiting workers, then close the inner sandbox."""
        with self._lock:
            self._closed = True
            queues = list(self._queues.values())
            self._queues.clear()
        with ExitStack() as undo:
            undo.callback(self._inner.close)
            undo.callback(self._enders.shutdown)
            undo.callback(self._starters.shutdown)
            _end(queues)

    def _start(self, settings: WorkerSettings) -> Worker:
        return self._inner.worker(settings)

    def _end_in_background(self, worker: Worker) -> None:
        """End ``worker`` in another thread. If that fails, the inner sandbox ends it or reports it when it closes."""
        with self._lock:
            if not self._closed:
                self._enders.submit(worker.close)
                return
        worker.close()

    def _take_ready(self, settings: WorkerSettings) -> Worker | None:
        """The oldest ready worker that is still alive; waits for one that is starting.

        A start that has not begun is cancelled: the caller starts a worker sooner than the queue does.
        """
        while (future := self._next(settings)) is not None:
            if future.cancel():
                continue
            try:
                worker = future.result()
            except GraderError as error:
                log(Event.WORKER_START_FAILED, role=settings.role, error=str(error))
                continue
            if worker.is_fresh():
                return worker
            log(Event.WORKER_DISCARDED, role=settings.role)
            self._end_in_background(worker)
        return None

    def _next(self, settings: WorkerSettings) -> Future[Worker] | None:
        with self._lock:
            queue = self._queues.get(settings)
            return queue.popleft() if queue else None

    def _fill(self, settings: WorkerSettings, count: int) -> None:
        """Have at least ``count`` workers ready or starting."""
        with self._lock:
            if self._closed:
                return
            queue = self._queues.pop(settings, deque())
            self._queues[settings] = queue
            while len(queue) < count:
                context = contextvars.copy_context()  # of the submission that asked: its ids stand in the log
                queue.append(self._starters.submit(context.run, self._start, settings))
            unused = list(self._queues)[:-_MAX_KINDS]
            dropped = [self._queues.pop(longest_ago) for longest_ago in unused]
        _end(dropped)


def _can_start_ahead(settings: WorkerSettings) -> bool:
    """Whether to start it ahead: not on a GPU, where its context would use memory for one that may not come."""
    return not settings.needs_gpu


def _end(queues: Iterable[_Queue]) -> None:
    """Close all workers in ``queues``, also those that are starting; an error for one does not stop the others."""
    with ExitStack() as undo:
        for future in [future for queue in queues for future in queue if not future.cancel()]:
            if future.exception() is None:
                undo.callback(future.result().close)
