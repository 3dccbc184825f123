"""Frames between the grader and a worker: a length, then one MessagePack document of a known type.

Nothing that arrives is executed, unpickled or used as a path; a frame that is too long, cut short or not of the
expected type is a ``WireError`` and the worker that sent it is not listened to again.
"""

from io import BufferedIOBase
from typing import Any, TypeVar

import msgspec

from grader.model.text import printable

T = TypeVar("T")

LENGTH_BYTES = 8
"""Bytes of a frame's head: the length of what follows, big-endian."""

MAX_REQUEST_BYTES = 8 * 2**30
"""Longest request a worker reads: what the grader sends is the grader's own."""


class WireError(Exception):
    """The other side sent something that is not a frame of the expected type."""


_QUOTED = 200
"""Characters of what is wrong that are passed on: they may quote the other side, which may have sent anything."""

_NIL = b"\xc0"
"""MessagePack's nothing: the body of an answer that is an error."""


class Request(msgspec.Struct, frozen=True):
    """What the grader asks, as it is read: ``kind`` selects the handler, ``body`` is its argument, still encoded."""

    nonce: str
    kind: str
    body: msgspec.Raw


class Reply(msgspec.Struct, frozen=True):
    """What a worker answers to the request of the same ``nonce``, as it is read: a body, or why there is none.

    ``hint`` accompanies an ``error`` that the person who runs the grader can do something about.
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
    """``value`` as a whole frame. It is encoded in place, for it may hold gigabytes."""
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
    """Send one frame. Raises: ``OSError`` when the other side is gone."""
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
    """The payload length a frame head announces. Raises: ``WireError`` where it is cut short or above ``limit``."""
    if len(head) < LENGTH_BYTES:
        msg = "a frame was cut short in its length"
        raise WireError(msg)
    length = int.from_bytes(head)
    if length > limit:
        msg = f"a frame of {length} bytes; at most {limit} are read"
        raise WireError(msg)
    return length


def _read_exactly(stream: BufferedIOBase, count: int) -> bytearray:
    """``count`` bytes, or those that there are before the stream ends."""
    data = bytearray(count)
    done = 0
    with memoryview(data) as view:
        while done < count and (read := stream.readinto(view[done:])):
            done += read
    del data[done:]
    return data
