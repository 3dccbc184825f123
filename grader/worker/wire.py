"""Frames between the grader and a worker: a length, then one MessagePack document of a known type.

Received data is never executed, unpickled or used as a path. A frame that is too long, truncated or not of the
expected type raises ``WireError``, and its worker is not used again.
"""

from io import BufferedIOBase
from typing import Any, TypeVar

import msgspec

from grader.model.text import printable

T = TypeVar("T")

LENGTH_BYTES = 8
"""Bytes of a frame's head: the length of what follows, big-endian."""

MAX_REQUEST_BYTES = 8 * 2**30
"""Longest request that a worker reads; large, because requests come from the grader itself."""


class WireError(Exception):
    """The other side sent something that is not a frame of the expected type."""


_QUOTED = 200
"""Characters of a decoding error that are kept: it may quote arbitrary data from the other side."""

_NIL = b"\xc0"
"""MessagePack's nil: the body of an error reply."""


class Request(msgspec.Struct, frozen=True):
    """A request as read: ``kind`` selects the handler, ``body`` is its argument, still encoded."""

    nonce: str
    kind: str
    body: msgspec.Raw


class Reply(msgspec.Struct, frozen=True):
    """The reply to the request of the same ``nonce``, as read: a body or an error.

    ``hint`` is set for an ``error`` that the grader's operator can fix.
    """

    nonce: str
    body: msgspec.Raw = msgspec.Raw(_NIL)
    error: str | None = None
    hint: str | None = None


_encoder = msgspec.msgpack.Encoder()


def encode(value: Any) -> bytes:
    """``value`` (a dataclass or Struct of wire types) as MessagePack."""
    return _encoder.encode(value)


def request(nonce: str, kind: str, body: Any) -> bytearray:
    """The frame of a ``Request``."""
    return frame({"nonce": nonce, "kind": kind, "body": body})


def answer(nonce: str, body: Any) -> bytearray:
    """The frame of a ``Reply`` that has a body."""
    return frame({"nonce": nonce, "body": body})


def frame(value: Any) -> bytearray:
    """``value`` as a frame, encoded in place because it may be gigabytes."""
    whole = bytearray(LENGTH_BYTES)
    _encoder.encode_into(value, whole, LENGTH_BYTES)
    whole[:LENGTH_BYTES] = (len(whole) - LENGTH_BYTES).to_bytes(LENGTH_BYTES)
    return whole


def decode(data: bytes | bytearray | memoryview | msgspec.Raw, expected: type[T]) -> T:
    """``data`` as an ``expected``. Raises: ``WireError``."""
    try:
        return msgspec.msgpack.decode(data, type=expected)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError, RecursionError, OverflowError) as error:
        msg = f"not a {expected.__name__}: {printable(str(error)[:_QUOTED])}"
        raise WireError(msg) from None


def send(stream: BufferedIOBase, whole: bytearray) -> None:
    """Send one frame. Raises: ``OSError`` when the other side has closed."""
    stream.write(whole)
    stream.flush()


def read_frame(stream: BufferedIOBase, limit: int) -> bytearray | None:
    """Receive one frame of at most ``limit`` bytes; ``None`` when the other side closed between frames.

    Raises: ``WireError``.
    """
    head = _read_exactly(stream, LENGTH_BYTES)
    if not head:
        return None
    length = frame_length(head, limit)
    payload = _read_exactly(stream, length)
    if len(payload) < length:
        msg = f"a frame of {length} bytes was cut short at {len(payload)}"
        raise WireError(msg)
    return payload


def frame_length(head: bytes | bytearray, limit: int) -> int:
    """The payload length in a frame's head. Raises: ``WireError`` where it is cut short or above ``limit``."""
    if len(head) < LENGTH_BYTES:
        msg = "a frame was cut short in its length"
        raise WireError(msg)
    length = int.from_bytes(head)
    if length > limit:
        msg = f"a frame of {length} bytes; at most {limit} are read"
        raise WireError(msg)
    return length


def _read_exactly(stream: BufferedIOBase, count: int) -> bytearray:
    """``count`` bytes, or fewer at the end of the stream."""
    data = bytearray(count)
    done = 0
    with memoryview(data) as view:
        while done < count and (read := stream.readinto(view[done:])):
            done += read
    del data[done:]
    return data
