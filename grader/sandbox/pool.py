"""A pool of workers that are started ahead and ended behind, so that a submission waits for neither."""

import threading
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from typing import Self

from grader.errors import GraderError
from grader.model.run import EngineKind
from grader.sandbox.port import Sandbox, Worker
from grader.sandbox.worker_proxy import WorkerProxy
from grader.worker.messages import WorkerSettings

_Shelf = deque[Future[Worker]]

_MOST_KINDS = 6
"""Kinds of workers that are kept ready: each lab with limits of its own has kinds of its own."""

_STARTERS = 2
"""How many workers are started at once at least: while a submission is translated, it needs one of each other kind."""

_ENDERS = 2
"""How many workers are ended at once."""


class PooledSandbox:
    """Another sandbox, with workers of each kind that was asked for, or announced, started ahead.

    Each worker is handed out once, whoever asks, and another is started in its place. Closing one hands it back: it
    is ended soon, at the latest when the pool is closed. One on a GPU is ended at once, so that the next finds the
    device free. The pool is as safe to share between threads as the sandbox inside. Use it as a context manager, or
    ``close`` it.
    """

    def __init__(self, inner: Sandbox, spare: int) -> None:
        """Keep ``spare`` workers of each kind ready; with none, only what is announced is started ahead.

        ``inner`` is closed with the pool.
        """
        self._inner = inner
        self._spare = spare
        self._lock = threading.Lock()
        self._shelves: dict[WorkerSettings, _Shelf] = {}  # the kind that was asked for last is at the end
        # The threads last as long as the pool: the kernel ends a worker with the thread that started it.
        self._starters = ThreadPoolExecutor(max(spare, _STARTERS), thread_name_prefix="starting-workers")
        self._enders = ThreadPoolExecutor(_ENDERS, thread_name_prefix="ending-workers")
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """The sandbox that the workers are in."""
        return self._inner.name

    def worker(self, settings: WorkerSettings) -> Worker:
        """A worker that nobody has asked anything; see the port."""
        if not _may_wait(settings):
            return self._start(settings)
        # What failed in the background may have been mended since: whoever asks tries again, and is told of that.
        worker = self._waiting(settings) or self._start(settings)
        self._fill(settings, self._spare)
        return WorkerProxy(worker, self._end_behind)

    def prepare(self, settings: WorkerSettings) -> None:
        """Start one, unless one waits. Nobody is told if it fails; if nobody asks for it, it waits for the next."""
        if _may_wait(settings):
            self._fill(settings, 1)

    def close(self) -> None:
        """End every worker that still waits, and the sandbox inside with all others."""
        with self._lock:
            self._closed = True
            shelves = list(self._shelves.values())
            self._shelves.clear()
        with ExitStack() as undo:
            undo.callback(self._inner.close)
            undo.callback(self._enders.shutdown)
            undo.callback(self._starters.shutdown)
            _end(shelves)

    def _start(self, settings: WorkerSettings) -> Worker:
        return self._inner.worker(settings)

    def _end_behind(self, worker: Worker) -> None:
        """End it while its borrower goes on. What cannot be ended, the sandbox inside ends or tells when it closes."""
        with self._lock:
            if not self._closed:
                self._enders.submit(worker.close)
                return
        worker.close()

    def _waiting(self, settings: WorkerSettings) -> Worker | None:
        """The one that has waited longest and still lives; one that is being started is waited for.

        One whose start has not begun is none: whoever asks starts it sooner than the others' turn comes.
        """
        while (future := self._next(settings)) is not None:
            if future.cancel():
                continue
            with suppress(GraderError):
                worker = future.result()
                if worker.is_fresh():
                    return worker
                self._end_behind(worker)
        return None

    def _next(self, settings: WorkerSettings) -> Future[Worker] | None:
        with self._lock:
            shelf = self._shelves.get(settings)
            return shelf.popleft() if shelf else None

    def _fill(self, settings: WorkerSettings, count: int) -> None:
        """Have at least ``count`` of them ready or on their way."""
        with self._lock:
            if self._closed:
                return
            shelf = self._shelves.pop(settings, deque())
            self._shelves[settings] = shelf
            while len(shelf) < count:
                shelf.append(self._starters.submit(self._start, settings))
            unused = list(self._shelves)[:-_MOST_KINDS]
            dropped = [self._shelves.pop(longest_ago) for longest_ago in unused]
        _end(dropped)


def _may_wait(settings: WorkerSettings) -> bool:
    """A GPU's context takes memory and time on it, beside the kernels that are being timed there."""
    return settings.engine is not EngineKind.CUDA


def _end(shelves: Iterable[_Shelf]) -> None:
    """Close every worker on them, also those that are being started, and one that cannot be closed stops no other."""
    with ExitStack() as undo:
        for future in [future for shelf in shelves for future in shelf if not future.cancel()]:
            if future.exception() is None:
                undo.callback(future.result().close)
