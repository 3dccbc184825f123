"""Columns that hold values of Python exactly, in every database."""

from abc import abstractmethod
from datetime import UTC, datetime, timedelta
from enum import IntEnum, StrEnum
from typing import Any, TypeVar

from sqlalchemy import BigInteger, Dialect, Integer, LargeBinary, String
from sqlalchemy.types import TypeDecorator

_Value = TypeVar("_Value")
_Word = TypeVar("_Word", bound=StrEnum)
_Rank = TypeVar("_Rank", bound=IntEnum)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class _Converted(TypeDecorator[_Value]):
    """A column with one conversion for every database; a missing value stays missing."""

    cache_ok = True

    @abstractmethod
    def to_column(self, value: _Value) -> Any:
        """What the column holds for ``value``."""

    @abstractmethod
    def from_column(self, value: Any) -> _Value:
        """The value that the column holds."""

    def process_bind_param(self, value: _Value | None, dialect: Dialect) -> Any:  # noqa: ARG002 - SQLAlchemy's signature
        """See ``to_column``."""
        return None if value is None else self.to_column(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> _Value | None:  # noqa: ARG002 - SQLAlchemy's signature
        """See ``from_column``."""
        return None if value is None else self.from_column(value)


class Instant(_Converted[datetime]):
    """A time in microseconds since 1970 in UTC, which every database stores exactly."""

    impl = BigInteger
    cache_ok = True

    def to_column(self, value: datetime) -> int:
        """Raises: ``ValueError`` if ``value`` has no time zone."""
        if value.tzinfo is None:
            msg = "a stored time needs a time zone"
            raise ValueError(msg)
        return (value - _EPOCH) // _MICROSECOND

    def from_column(self, value: int) -> datetime:
        """The time in UTC."""
        return _EPOCH + value * _MICROSECOND


class Word(_Converted[_Word]):
    """A member of an enumeration of strings."""

    impl = String
    cache_ok = True

    def __init__(self, kind: type[_Word]) -> None:
        super().__init__()
        self.kind = kind

    def to_column(self, value: _Word) -> str:
        """The member's value."""
        return value.value

    def from_column(self, value: str) -> _Word:
        """Raises: ``ValueError`` if no member has this value."""
        return self.kind(value)


class Rank(_Converted[_Rank]):
    """A member of an enumeration of integers, so that rows can be ordered by it."""

    impl = Integer
    cache_ok = True

    def __init__(self, kind: type[_Rank]) -> None:
        super().__init__()
        self.kind = kind

    def to_column(self, value: _Rank) -> int:
        """The member's value."""
        return value.value

    def from_column(self, value: int) -> _Rank:
        """Raises: ``ValueError`` if no member has this value."""
        return self.kind(value)


class FileName(_Converted[str]):
    """The name of a file, which may hold bytes that are no UTF-8."""

    impl = LargeBinary
    cache_ok = True

    def to_column(self, value: str) -> bytes:
        """The name's bytes."""
        return value.encode("utf-8", "surrogateescape")

    def from_column(self, value: bytes) -> str:
        """The name as Python reads it from a folder."""
        return value.decode("utf-8", "surrogateescape")


class WideInteger(_Converted[int]):
    """An integer of any size as decimal text: a seed has more bits than a database's integers."""

    impl = String
    cache_ok = True

    def to_column(self, value: int) -> str:
        """Decimal digits."""
        return str(value)

    def from_column(self, value: str) -> int:
        """The number."""
        return int(value)
