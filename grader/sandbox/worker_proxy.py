"""A proxy for a worker that replaces how it is closed."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Self, TypeVar

from grader.sandbox.port import Worker
from grader.worker.messages import RequestKind

T = TypeVar("T")


class WorkerProxy:
    """Forwards to ``inner``, except that ``close`` calls ``end``; see the port."""

    def __init__(self, inner: Worker, end: Callable[[Worker], None]) -> None:
        """``end`` is called once, at the first ``close``."""
        self.ready = inner.ready
        self._inner = inner
        self._end = end
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def exclusive_gpu(self) -> AbstractContextManager[None]:
        """See the port."""
        return self._inner.exclusive_gpu()

    def ask(self, kind: RequestKind, body: Any, expected: type[T], *, seconds: float, reply_bytes: int) -> T:
        """See the port."""
        return self._inner.ask(kind, body, expected, seconds=seconds, reply_bytes=reply_bytes)

    def is_fresh(self) -> bool:
        """See the port; false once it is closed."""
        return not self._closed and self._inner.is_fresh()

    def close(self) -> None:
        """Call ``end``. Can be called again."""
        if not self._closed:
            self._closed = True
            self._end(self._inner)
