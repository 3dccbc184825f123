"""A sandbox without processes that records the requests to it."""

import threading
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar

from grader.sandbox.port import Worker
from grader.worker.messages import Ready, RequestKind, WorkerRole, WorkerSettings

T = TypeVar("T")


@dataclass
class FakeWorker:
    """A worker that records the calls to it."""

    number: int
    asked_for: WorkerSettings
    alive: bool = True
    closed: bool = False
    ready: Ready = field(default_factory=Ready)
    may_end: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.may_end.set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def exclusive_gpu(self) -> AbstractContextManager[None]:
        return nullcontext()

    def ask(self, kind: RequestKind, body: Any, expected: type[T], *, seconds: float, reply_bytes: int) -> T:
        """Return the worker itself, so that a test can identify it."""
        assert isinstance(self, expected), (kind, body, seconds, reply_bytes)
        return self

    def is_fresh(self) -> bool:
        return self.alive and not self.closed

    def close(self) -> None:
        self.may_end.wait(10)
        self.closed = True


class FakeSandbox:
    """Counts its starts; while ``fails`` is set, every start raises it.

    ``gate`` blocks the starts of the roles in ``slow``; ``at_it`` counts the starts that wait there.
    """

    name = "fake"

    def __init__(self) -> None:
        self.started: list[FakeWorker] = []
        self.threads: list[threading.Thread] = []
        self.fails: Exception | None = None
        self.attempts = 0
        self.at_it = 0
        self.slow = set(WorkerRole)
        self.gate = threading.Event()
        self.gate.set()
        self.closed = False
        self._lock = threading.Lock()

    def worker(self, settings: WorkerSettings) -> Worker:
        if settings.role in self.slow:
            with self._lock:
                self.at_it += 1
            self.gate.wait(10)
        with self._lock:
            self.attempts += 1
            if self.fails is not None:
                raise self.fails
            worker = FakeWorker(len(self.started), settings)
            self.started.append(worker)
            self.threads.append(threading.current_thread())
        return worker

    def prepare(self, settings: WorkerSettings) -> None:
        """Do nothing: this sandbox starts no worker ahead."""

    def close(self) -> None:
        self.closed = True


def lent(worker: Worker) -> FakeWorker:
    """Return the wrapped worker of the inner sandbox."""
    return worker.ask(RequestKind.RUN, None, FakeWorker, seconds=1, reply_bytes=1)
