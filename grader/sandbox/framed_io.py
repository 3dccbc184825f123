"""One request frame to a worker and one reply frame back, over pipes that never block the grader."""

import os
import selectors
from types import TracebackType
from typing import Self

from grader.sandbox.child import Pipes
from grader.worker import wire

_CHUNK = 2**20
_STDERR_KEPT = 16 * 2**10


class ClosedError(Exception):
    """The worker closed its end before its reply was complete."""


class StderrTail:
    """The last bytes that a worker wrote to standard error, bounded in size."""

    def __init__(self) -> None:
        self._kept = bytearray()

    def read(self, descriptor: int) -> bool:
        """Read what is available; false at end of file."""
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return True
        self._kept += data
        del self._kept[:-_STDERR_KEPT]
        return bool(data)

    def drain(self, descriptor: int) -> None:
        """Read what an ended worker left in the pipe; bounded, so it returns even if the worker still lives."""
        for _ in range(_STDERR_KEPT // 2**8):
            self.read(descriptor)

    def __str__(self) -> str:
        return self._kept.decode("utf-8", "replace").strip()


class FrameExchange:
    """Sends ``frame``, unless it is empty, and receives one reply of at most ``limit`` bytes.

    A context manager, to be used once.
    """

    def __init__(self, pipes: Pipes, frame: bytes | bytearray, limit: int, tail: StderrTail) -> None:
        self._pipes = pipes
        self._outgoing = memoryview(frame)
        self._incoming = bytearray()
        self._limit = limit
        self._tail = tail
        self._selector = selectors.DefaultSelector()
        self._steps = {
            pipes.requests: self._send,
            pipes.errors: self._read_stderr,
            pipes.replies: self._receive,
        }

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
        """Send and receive for at most ``seconds``; the reply, once it is complete.

        Raises: ``ClosedError``, ``WireError`` for a reply that is too long, or for more than one.
        """
        for key, _ in self._selector.select(seconds):
            self._steps[key.fd]()
        return self._reply()

    def _send(self) -> None:
        try:
            written = os.write(self._pipes.requests, self._outgoing[:_CHUNK])
        except BlockingIOError:
            return
        except OSError:
            # The worker has ended; the reply pipe shows that.
            written = len(self._outgoing)
        self._outgoing = self._outgoing[written:]
        if not self._outgoing:
            self._selector.unregister(self._pipes.requests)

    def _read_stderr(self) -> None:
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

    def _reply(self) -> memoryview | None:
        if len(self._incoming) < wire.LENGTH_BYTES:
            return None
        end = wire.LENGTH_BYTES + wire.frame_length(bytes(self._incoming[: wire.LENGTH_BYTES]), self._limit)
        if len(self._incoming) < end:
            return None
        if len(self._incoming) > end:
            msg = "more than one reply to one request"
            raise wire.WireError(msg)
        return memoryview(self._incoming)[wire.LENGTH_BYTES :]
