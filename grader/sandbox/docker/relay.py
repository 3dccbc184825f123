"""A container's attached streams as the three pipes that a conversation is held over.

An engine sends standard output and error through one connection, in pieces that say which of the two they are. Two
threads carry bytes between it and the pipes. They block, the grader never does: a worker that nobody listens to fills
a pipe, then the connection, then waits itself. Nothing is kept but one piece.
"""

import contextlib
import os
import socket
import threading
from typing import Protocol

from grader.sandbox.child import Streams

_CHUNK = 2**20
_HEAD_BYTES = 8
_LENGTH_BYTES = slice(4, 8)
_OUTPUT, _ERRORS = 1, 2


class Connection(Protocol):
    """The part of a socket that a relay needs; a tunnelled engine has something like it."""

    def recv(self, size: int, /) -> bytes:
        """Some bytes; none at the end."""

    def sendall(self, data: bytes, /) -> None:
        """Send all of them."""

    def shutdown(self, how: int, /) -> None:
        """End one direction or both, and wake up who waits for them."""

    def close(self) -> None:
        """Give it back."""


class Relay:
    """Carries bytes between ``connection`` and ``streams``, which it owns, until one of them ends."""

    def __init__(self, connection: Connection, streams: Streams) -> None:
        """Start to carry."""
        self._connection = connection
        self._streams = streams
        self._ended = threading.Event()
        self._threads = [
            threading.Thread(target=carry, name="container-streams", daemon=True)
            for carry in (self._carry_in, self._carry_out)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def ended(self) -> bool:
        """Whether the container closed its streams and all it said has been passed on."""
        return self._ended.is_set()

    def cut(self) -> None:
        """Hear no more. An engine cannot end a container while it waits for somebody to take its output."""
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Stop; the grader's ends of the pipes must be closed already."""
        self.cut()
        for thread in self._threads:
            thread.join()
        self._connection.close()

    def _carry_in(self) -> None:
        """Requests to the container, until the grader closes its end."""
        requests = self._streams.requests
        try:
            with contextlib.suppress(OSError):
                while data := os.read(requests, _CHUNK):
                    self._connection.sendall(data)
                self._connection.shutdown(socket.SHUT_WR)
        finally:
            os.close(requests)

    def _carry_out(self) -> None:
        """Replies and errors from the container, until it ends or the grader closes its ends."""
        targets = {_OUTPUT: self._streams.replies, _ERRORS: self._streams.errors}
        try:
            # A stream that is neither of the two ends it, too: this is no engine.
            with contextlib.suppress(OSError, EOFError, KeyError):
                while True:
                    head = self._exactly(_HEAD_BYTES)
                    self._pass_on(targets[head[0]], int.from_bytes(head[_LENGTH_BYTES]))
        finally:
            self._ended.set()
            for target in targets.values():
                os.close(target)

    def _pass_on(self, target: int, left: int) -> None:
        while left:
            data = memoryview(self._some(min(left, _CHUNK)))
            left -= len(data)
            while data:
                data = data[os.write(target, data) :]

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            data += self._some(count - len(data))
        return data

    def _some(self, count: int) -> bytes:
        data = self._connection.recv(count)
        if not data:
            raise EOFError
        return data
