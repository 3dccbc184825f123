"""A worker that is somebody else's: its borrower asks it as its own, and hands it back instead of ending it."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Self, TypeVar

from grader.sandbox.port import Worker
from grader.worker.messages import RequestKind

T = TypeVar("T")


class WorkerProxy:
    """A worker of somebody's who ends it in a way of their own; see the port."""

    def __init__(self, inner: Worker, end: Callable[[Worker], None]) -> None:
        """``end`` is called once, when the borrower closes it."""
        self.ready = inner.ready
        self._inner = inner
        self._end = end
        self._returned = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def exclusive_gpu(self) -> AbstractContextManager[None]:
        """The inner one's."""
        return self._inner.exclusive_gpu()

    def ask(self, kind: RequestKind, body: Any, expected: type[T], *, seconds: float, reply_bytes: int) -> T:
        """Handed on."""
        return self._inner.ask(kind, body, expected, seconds=seconds, reply_bytes=reply_bytes)

    def is_fresh(self) -> bool:
        """See the port; one that was handed back is not."""
        return not self._returned and self._inner.is_fresh()

    def close(self) -> None:
        """Hand it back. May be repeated."""
        if not self._returned:
            self._returned = True
            self._end(self._inner)
