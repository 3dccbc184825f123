"""A sandbox around another one: what subclasses do not change is passed on."""

from contextlib import AbstractContextManager
from typing import Any, Self, TypeVar

from grader.sandbox.port import Sandbox, Worker
from grader.worker.messages import RequestKind, WorkerSettings

T = TypeVar("T")


class ForwardingSandbox:
    """Gives the workers of ``inner``."""

    def __init__(self, inner: Sandbox) -> None:
        self.inner = inner

    @property
    def name(self) -> str:
        """That of the sandbox inside."""
        return self.inner.name

    def worker(self, settings: WorkerSettings) -> Worker:
        """See the port."""
        return self.inner.worker(settings)

    def prepare(self, settings: WorkerSettings) -> None:
        """See the port."""
        self.inner.prepare(settings)

    def close(self) -> None:
        """See the port."""
        self.inner.close()


class ForwardingWorker:
    """Asks ``inner`` what it is asked."""

    def __init__(self, inner: Worker) -> None:
        self.inner = inner
        self.ready = inner.ready

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def is_fresh(self) -> bool:
        """See the port."""
        return self.inner.is_fresh()

    def close(self) -> None:
        """See the port."""
        self.inner.close()

    def exclusive_gpu(self) -> AbstractContextManager[None]:
        """See the port."""
        return self.inner.exclusive_gpu()

    def ask(self, kind: RequestKind, body: Any, expected: type[T], *, seconds: float, reply_bytes: int) -> T:
        """See the port."""
        return self.inner.ask(kind, body, expected, seconds=seconds, reply_bytes=reply_bytes)
