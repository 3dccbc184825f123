"""One frame to a worker and one frame back, over pipes of which none may ever block the grader."""

import os
import selectors
from types import TracebackType
from typing import Self

from grader.sandbox.child import Pipes
from grader.worker import wire

_CHUNK = 2**20
_STDERR_KEPT = 16 * 2**10


class ClosedError(Exception):
    """The worker closed its end before its answer was complete."""


class StderrTail:
    """The end of what a worker wrote to standard error: bounded, whatever it writes."""

    def __init__(self) -> None:
        self._kept = bytearray()

    def read(self, descriptor: int) -> bool:
        """Take what is there now; false at end of file."""
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return True
        self._kept += data
        del self._kept[:-_STDERR_KEPT]
        return bool(data)

    def drain(self, descriptor: int) -> None:
        """Take what a dead worker left behind: no more than a pipe holds, so this ends even if it is not dead."""
        for _ in range(_STDERR_KEPT // 2**8):
            self.read(descriptor)

    def __str__(self) -> str:
        return self._kept.decode("utf-8", "replace").strip()


class FrameExchange:
    """``frame`` out (nothing, where it is empty), at most ``limit`` bytes in. A context manager, used once."""

    def __init__(self, pipes: Pipes, frame: bytes | bytearray, limit: int, tail: StderrTail) -> None:
        self._pipes = pipes
        self._outgoing = memoryview(frame)
        self._incoming = bytearray()
        self._limit = limit
        self._tail = tail
        self._selector = selectors.DefaultSelector()
        self._steps = {pipes.requests: self._send, pipes.errors: self._listen, pipes.replies: self._receive}

    def __enter__(self) -> Self:
        self._selector.register(self._pipes.replies, selectors.EVENT_READ)
        self._selector.register(self._pipes.errors, selectors.EVENT_READ)
        if self._outgoing:
            self._selector.register(self._pipes.requests, selectors.EVENT_WRITE)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._selector.close()

    def pump(self, seconds: float) -> memoryview | None:
        """Move what can be moved within ``seconds``; the answer, once it is complete.

        Raises: ``ClosedError``, ``WireError`` where the answer is too long or more than one.
        """
        for key, _ in self._selector.select(seconds):
            self._steps[key.fd]()
        return self._answer()

    def _send(self) -> None:
        try:
            written = os.write(self._pipes.requests, self._outgoing[:_CHUNK])
        except BlockingIOError:
            return
        except OSError:
            # Its end is told by the reply pipe.
            written = len(self._outgoing)
        self._outgoing = self._outgoing[written:]
        if not self._outgoing:
            self._selector.unregister(self._pipes.requests)

    def _listen(self) -> None:
        if not self._tail.read(self._pipes.errors):
            self._selector.unregister(self._pipes.errors)

    def _receive(self) -> None:
        try:
            data = os.read(self._pipes.replies, _CHUNK)
        except BlockingIOError:
            return
        if not data:
            raise ClosedError
        self._incoming += data

    def _answer(self) -> memoryview | None:
        if len(self._incoming) < wire.LENGTH_BYTES:
            return None
        end = wire.LENGTH_BYTES + wire.frame_length(bytes(self._incoming[: wire.LENGTH_BYTES]), self._limit)
        if len(self._incoming) < end:
            return None
        if len(self._incoming) > end:
            msg = "more than one answer to one request"
            raise wire.WireError(msg)
        return memoryview(self._incoming)[wire.LENGTH_BYTES :]
