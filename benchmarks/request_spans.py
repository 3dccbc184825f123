"""A sandbox that notes what grading waits for: workers that start, the GPU, each kind of request."""

import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from grader.sandbox.port import Sandbox, Worker
from grader.sandbox.worker_proxy import WorkerProxy
from grader.worker.messages import RequestKind, WorkerRole, WorkerSettings

T = TypeVar("T")

GPU_WAIT = "wait for the GPU"
ON_GPU = "on the GPU: "
ON_EMULATOR = "on the emulator: "
START, END = "start a worker: ", "end a worker: "


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds and number of the spans with one name, over all submissions that are graded side by side."""

    seconds: float
    count: int


class SpanTimes:
    """Adds up spans by name. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._spans: dict[str, list[float]] = defaultdict(list)

    @contextmanager
    def span(self, name: str) -> Iterator[None]:
        """Note the seconds of the body, also where it raises."""
        started = time.monotonic()
        try:
            yield
        finally:
            seconds = time.monotonic() - started
            with self._lock:
                self._spans[name].append(seconds)

    def spent(self) -> dict[str, Spent]:
        """What was noted so far, the longest first."""
        with self._lock:
            sums = {name: Spent(sum(each), len(each)) for name, each in self._spans.items()}
        return dict(sorted(sums.items(), key=lambda item: -item[1].seconds))

    def on_gpu(self) -> float:
        """Seconds of the requests that hold the GPU; no two of them run at the same time on one device."""
        return sum(spent.seconds for name, spent in self.spent().items() if name.startswith(ON_GPU))


class WatchedSandbox:
    """Forwards to ``inner`` and notes in ``spans`` what a submission waits for."""

    def __init__(self, inner: Sandbox) -> None:
        self._inner = inner
        self.spans = SpanTimes()
        """Where they are noted; set another object to start again."""

    @property
    def name(self) -> str:
        """The name of the inner sandbox."""
        return self._inner.name

    def worker(self, settings: WorkerSettings) -> Worker:
        """See the port."""
        with self.spans.span(START + _kind(settings)):
            worker = self._inner.worker(settings)
        return _WatchedWorker(worker, settings, self)

    def prepare(self, settings: WorkerSettings) -> None:
        """See the port."""
        self._inner.prepare(settings)

    def close(self) -> None:
        """See the port."""
        self._inner.close()


class _WatchedWorker(WorkerProxy):
    def __init__(self, inner: Worker, settings: WorkerSettings, watcher: WatchedSandbox) -> None:
        super().__init__(inner, self._ended)
        self._settings = settings
        self._watcher = watcher

    @contextmanager
    def exclusive_gpu(self) -> Iterator[None]:
        locked = super().exclusive_gpu()
        if not self._settings.needs_gpu:
            with locked:
                yield
            return
        with self._watcher.spans.span(GPU_WAIT):
            locked.__enter__()
        try:
            yield
        finally:
            locked.__exit__(None, None, None)

    def ask(self, kind: RequestKind, body: Any, expected: type[T], *, seconds: float, reply_bytes: int) -> T:
        with self._watcher.spans.span(self._place(kind) + str(kind)):
            return super().ask(kind, body, expected, seconds=seconds, reply_bytes=reply_bytes)

    def _place(self, kind: RequestKind) -> str:
        """Where the request runs. The transfer of inputs does not hold the GPU."""
        if self._settings.role is not WorkerRole.RUN:
            return ""
        if not self._settings.needs_gpu:
            return ON_EMULATOR
        return "to the GPU's worker: " if kind is RequestKind.PUT_INPUTS else ON_GPU

    def _ended(self, worker: Worker) -> None:
        with self._watcher.spans.span(END + _kind(self._settings)):
            worker.close()


def _kind(settings: WorkerSettings) -> str:
    if settings.role is not WorkerRole.RUN:
        return str(settings.role)
    return "run, on a GPU" if settings.needs_gpu else "run, on the emulator"
