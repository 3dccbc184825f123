"""Frames between the grader and a worker: a length, then one MessagePack document of a known type.

Nothing that arrives is executed, unpickled or used as a path; a frame that is too long, cut short or not of the
expected type is a ``WireError`` and the worker that sent it is not listened to again.
"""

from typing import Any, BinaryIO, TypeVar

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
    """What the grader asks: ``kind`` selects the handler, ``body`` is its argument, still encoded."""

    nonce: str
    kind: str
    body: msgspec.Raw


class Reply(msgspec.Struct, frozen=True):
    """What a worker answers to the request of the same ``nonce``: a body, or why there is none.

    ``mend`` accompanies an ``error`` that the person who runs the grader can do something about.
    """

    nonce: str
    body: msgspec.Raw = msgspec.Raw(_NIL)
    error: str | None = None
    mend: str | None = None


_encoder = msgspec.msgpack.Encoder()


def encode(value: Any) -> bytes:
    """``value`` (a dataclass or Struct of wire types) as MessagePack."""
    return _encoder.encode(value)


def decode(data: bytes | bytearray | msgspec.Raw, expected: type[T]) -> T:
    """``data`` as an ``expected``. Raises: ``WireError``."""
    try:
        return msgspec.msgpack.decode(data, type=expected)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError, RecursionError, OverflowError) as error:
        msg = f"not a {expected.__name__}: {printable(str(error)[:_QUOTED])}"
        raise WireError(msg) from None


def write_frame(stream: BinaryIO, payload: bytes) -> None:
    """Send one frame. Raises: ``OSError`` when the other side is gone."""
    stream.write(len(payload).to_bytes(LENGTH_BYTES))
    stream.write(payload)
    stream.flush()


def read_frame(stream: BinaryIO, limit: int) -> bytearray | None:
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


def _read_exactly(stream: BinaryIO, count: int) -> bytearray:
    chunks = bytearray()
    while len(chunks) < count:
        chunk = stream.read(min(count - len(chunks), 2**20))
        if not chunk:
            break
        chunks += chunk
    return chunks
