"""Columns that hold values of Python exactly, in every database."""

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TypeVar

from sqlalchemy import BigInteger, Dialect, LargeBinary, String
from sqlalchemy.types import TypeDecorator

_Word = TypeVar("_Word", bound=StrEnum)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Instant(TypeDecorator[datetime]):
    """A time in microseconds since 1970 in UTC, which every database stores exactly."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002 - the signature is SQLAlchemy's
        """Raises: ``ValueError`` if ``value`` has no time zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            msg = "a stored time needs a time zone"
            raise ValueError(msg)
        return (value - _EPOCH) // _MICROSECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - the signature is SQLAlchemy's
        """The time in UTC."""
        return None if value is None else _EPOCH + value * _MICROSECOND


class Word(TypeDecorator[_Word]):
    """A member of an enumeration of strings."""

    impl = String
    cache_ok = True

    def __init__(self, kind: type[_Word]) -> None:
        super().__init__()
        self.kind = kind

    def process_bind_param(self, value: _Word | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - the signature is SQLAlchemy's
        """The member's value."""
        return None if value is None else value.value

    def process_result_value(self, value: str | None, dialect: Dialect) -> _Word | None:  # noqa: ARG002 - the signature is SQLAlchemy's
        """Raises: ``ValueError`` if no member has this value."""
        return None if value is None else self.kind(value)


class FileName(TypeDecorator[str]):
    """The name of a file, which may hold bytes that are no UTF-8."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:  # noqa: ARG002 - the signature is SQLAlchemy's
        """The name's bytes."""
        return None if value is None else value.encode("utf-8", "surrogateescape")

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - the signature is SQLAlchemy's
        """The name as Python reads it from a folder."""
        return None if value is None else value.decode("utf-8", "surrogateescape")


class WideInteger(TypeDecorator[int]):
    """An integer of any size as decimal text: a seed has more bits than a database's integers."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: int | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - the signature is SQLAlchemy's
        """Decimal digits."""
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> int | None:  # noqa: ARG002 - the signature is SQLAlchemy's
        """The number."""
        return None if value is None else int(value)
