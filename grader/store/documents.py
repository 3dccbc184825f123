"""Documents inside rows: JSON that decodes to the same value, and compression."""

import zlib
from typing import TypeVar

import msgspec

_T = TypeVar("_T")


class DamagedError(ValueError):
    """A stored document that cannot be read."""


def encode(value: object, kind: type[_T]) -> bytes:
    """JSON that decodes to ``value``, of type ``kind``. Raises: ``ValueError`` if there is none, as for infinity."""
    data = msgspec.json.encode(value)
    try:
        same = msgspec.json.decode(data, type=kind) == value
    except msgspec.DecodeError as error:
        msg = f"a {kind.__name__} that JSON cannot hold: {error}"
        raise ValueError(msg) from error
    if not same:
        msg = f"a {kind.__name__} that JSON cannot hold"
        raise ValueError(msg)
    return data


def decode(data: bytes, kind: type[_T]) -> _T:
    """The value that ``encode`` got. Raises: ``DamagedError``."""
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.DecodeError as error:
        raise DamagedError(str(error)) from error


def compress(data: bytes) -> bytes:
    """``data`` as the store keeps it."""
    return zlib.compress(data)


def decompress(data: bytes) -> bytes:
    """What ``compress`` got. Raises: ``DamagedError``."""
    try:
        return zlib.decompress(data)
    except zlib.error as error:
        raise DamagedError(str(error)) from error
