"""Connects a container's attached streams to the three pipes of a worker client.

An engine sends standard output and error through one connection, in frames that name the stream. Two threads copy bytes
between the connection and the pipes. They block, the grader never does: while the grader does not read, a worker fills
a pipe, then the connection, then blocks. At most one frame is buffered.
"""

import contextlib
import os
import socket
import threading
from typing import Protocol

from grader.logs import Event, log
from grader.sandbox.child import Streams

_CHUNK = 2**20
_HEAD_BYTES = 8
_LENGTH_BYTES = slice(4, 8)
_OUTPUT, _ERRORS = 1, 2


class Connection(Protocol):
    """The part of a socket that a relay needs; tunnelled connections have it too."""

    def recv(self, size: int, /) -> bytes:
        """Some bytes; none at the end."""

    def sendall(self, data: bytes, /) -> None:
        """Send all of them."""

    def shutdown(self, how: int, /) -> None:
        """Close one direction or both, and wake threads that wait for them."""

    def close(self) -> None:
        """Close it."""


class Relay:
    """Copies bytes between ``connection`` and ``streams``, which it owns, until one of them ends."""

    def __init__(self, connection: Connection, streams: Streams) -> None:
        """Start both threads."""
        self._connection = connection
        self._streams = streams
        self._ended = threading.Event()
        self._threads = [
            threading.Thread(target=copy, name="container-streams", daemon=True)
            for copy in (self._copy_in, self._copy_out)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def ended(self) -> bool:
        """Whether the container closed its streams and all its output has been copied."""
        return self._ended.is_set()

    def cut(self) -> None:
        """Stop reading. An engine cannot end a container while it waits for its output to be read."""
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Stop; the grader's ends of the pipes must be closed already."""
        self.cut()
        for thread in self._threads:
            thread.join()
        self._connection.close()

    def _copy_in(self) -> None:
        """Requests to the container, until the grader closes its end."""
        requests = self._streams.requests
        try:
            with contextlib.suppress(OSError):
                while data := os.read(requests, _CHUNK):
                    self._connection.sendall(data)
                self._connection.shutdown(socket.SHUT_WR)
        finally:
            os.close(requests)

    def _copy_out(self) -> None:
        """Replies and errors from the container, until it ends or the grader closes its ends."""
        targets = {_OUTPUT: self._streams.replies, _ERRORS: self._streams.errors}
        try:
            with contextlib.suppress(OSError, EOFError):
                while (stream := (head := self._exactly(_HEAD_BYTES))[0]) in targets:
                    self._pass_on(targets[stream], int.from_bytes(head[_LENGTH_BYTES]))
                # An unknown stream ends the copying as well: the other side is not an engine.
                log(Event.STREAM_GARBLED, stream=stream)
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
