"""Messages between a program and the device process: fixed structures, as in ``runtime/wire.h``."""

import socket
import struct
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum, auto

from grader.errors import GraderError

_REQUEST = struct.Struct("<II12Q6QQII")
_ANSWER = struct.Struct("<iIII6Q")
_RANGE = struct.Struct("<3Q")
_ARGUMENTS, _FRAMES, _VALUES = 12, 6, 6
_MOST_EXTRA = 1 << 20

CALL_HOST = -1
"""The error of an answer that asks the program to run a host function."""


class Call(IntEnum):
    """What a program asks for; the order is that of ``Call`` in ``runtime/wire.h``."""

    @staticmethod
    def _generate_next_value_(name: str, start: int, count: int, last_values: list[int]) -> int:
        del name, start, last_values
        return count

    MALLOC = auto()
    FREE = auto()
    HOST_ALLOC = auto()
    HOST_FREE = auto()
    MANAGED_ALLOC = auto()
    COPY = auto()
    MEMSET = auto()
    LAUNCH = auto()
    KERNEL = auto()
    SYMBOL = auto()
    STREAM_CREATE = auto()
    STREAM_DESTROY = auto()
    STREAM_WAIT = auto()
    STREAM_QUERY = auto()
    EVENT_CREATE = auto()
    EVENT_DESTROY = auto()
    EVENT_RECORD = auto()
    EVENT_WAIT = auto()
    EVENT_QUERY = auto()
    EVENT_ELAPSED = auto()
    STREAM_WAIT_EVENT = auto()
    DEVICE_WAIT = auto()
    HOST_FUNCTION = auto()
    HOST_FUNCTION_DONE = auto()
    MEMORY_INFO = auto()
    TOUCH = auto()
    ERROR_READ = auto()
    REFUSED = auto()
    EXIT = auto()
    ATTRIBUTES = auto()
    OCCUPANCY = auto()
    ARRAY_ALLOC = auto()
    ARRAY_FREE = auto()
    ARRAY_INFO = auto()
    ARRAY_BOX = auto()
    ARRAY_MISFIT = auto()
    TEXTURE_CREATE = auto()
    SURFACE_CREATE = auto()
    OBJECT_DESTROY = auto()
    FREE_ASYNC = auto()
    POINTER = auto()
    LIMIT = auto()
    MANAGED_VARIABLE = auto()
    MODULE = auto()
    MODULE_SYMBOL = auto()
    ADDRESS_RANGE = auto()
    CAPTURE = auto()
    GRAPH = auto()
    PEER = auto()
    PROGRESS = auto()
    HOST_ERROR = auto()
    CLOCK = auto()
    FAILED = auto()
    RESET = auto()


Site = tuple[int, ...]
"""Where a call comes from: return addresses inside the program, or lines of an interpreter, innermost first."""


@dataclass(frozen=True, slots=True)
class Request:
    """One call. ``host_seconds`` is what the program computed since its last call; ``extra`` are the bytes with it.

    ``device`` is the one that the calling thread selected, and ``thread`` numbers the threads from 1 on.
    """

    call: Call
    arguments: tuple[int, ...]
    site: Site
    host_seconds: float
    extra: bytes
    device: int = 0
    thread: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """Memory of the host, ``size`` bytes at ``address``, that work has yet to read, or to write if ``is_written``.

    ``is_sure`` is false for what a kernel could use: it has a pointer into the allocation.
    """

    address: int
    size: int
    is_written: bool
    is_sure: bool = True

    def covers(self, address: int) -> bool:
        """Whether ``address`` is in it."""
        return self.address <= address < self.address + self.size


@dataclass(frozen=True, slots=True)
class Reply:
    """An error code of the runtime, numbers, and bytes."""

    error: int = 0
    values: tuple[int, ...] = ()
    extra: bytes = b""


class ProtocolError(GraderError):
    """The program sent something that its runtime never sends."""


class Channel:
    """The device process's end of the connection."""

    def __init__(self, connection: socket.socket) -> None:
        """``connection`` is a stream socket; this object reads from it and writes to it."""
        self._file = connection.makefile("rwb", buffering=1 << 16)

    def receive(self) -> Request | None:
        """The next request; ``None`` where the program has ended. Raises: ``ProtocolError``."""
        try:
            return self._received()
        except ConnectionError:  # it was killed in the middle of a call
            return None

    def _received(self) -> Request | None:
        head = self._file.read(_REQUEST.size)
        if len(head) < _REQUEST.size:
            return None
        call, size, *numbers, host_ns, device, thread = _REQUEST.unpack(head)
        if size > _MOST_EXTRA or call >= len(Call):
            msg = f"call {call} with {size} bytes"
            raise ProtocolError(msg)
        extra = self._file.read(size)
        site = tuple(address for address in numbers[_ARGUMENTS : _ARGUMENTS + _FRAMES] if address)
        arguments = tuple(numbers[:_ARGUMENTS])
        return Request(Call(call), arguments, site, host_ns * 1e-9, extra, device, thread)

    def send(self, reply: Reply, printed: bytes = b"", pending: Sequence[Pending] = ()) -> None:
        """Answer: first what kernels ``printed``, then the ranges that are ``pending``, then the reply's bytes."""
        ranges = b"".join(_RANGE.pack(each.address, each.size, each.is_written) for each in pending)
        rest = printed + ranges + reply.extra
        values = (*reply.values, *(0,) * (_VALUES - len(reply.values)))
        with suppress(ConnectionError):  # the program may be gone; the next request says so
            self._file.write(_ANSWER.pack(reply.error, len(rest), len(printed), len(pending), *values) + rest)
            self._file.flush()

    def call_host(self, number: int, printed: bytes) -> Site:
        """Let the program run its host function ``number``, and wait for its end.

        Returns: where the function called the runtime, which CUDA forbids. Raises: ``ProtocolError``.
        """
        self.send(Reply(CALL_HOST, (number,)), printed)
        done = self.receive()
        if done is None:  # the program is gone
            return ()
        if done.call is not Call.HOST_FUNCTION_DONE:
            msg = f"{done.call.name} inside a host function"
            raise ProtocolError(msg)
        return done.site
