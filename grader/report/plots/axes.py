"""Axes of the plots: map values to positions, and choose round ticks."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_MANTISSAS = (1, 2, 5)
_FEW_DECADES = 2


@dataclass(frozen=True, slots=True)
class Tick:
    """A number beside an axis, at its position."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Axis:
    """Maps values from ``low`` to ``high`` to positions from ``start`` to ``end``."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool

    def at(self, value: float) -> float:
        """The position of ``value``; outside ``start`` to ``end`` for values out of range."""
        low, high, scaled = self.low, self.high, value
        if self.logarithmic:
            low, high, scaled = math.log10(low), math.log10(high), math.log10(scaled)
        return self.start + (scaled - low) / (high - low) * (self.end - self.start)

    def ticks(self) -> tuple[float, ...]:
        """Round values from end to end."""
        if not self.logarithmic:
            step = _step((self.high - self.low) / 4)
            first = math.ceil(self.low / step - 1e-9)
            return tuple(n * step for n in range(first, math.floor(self.high / step + 1e-9) + 1))
        decades = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        mantissas = _MANTISSAS if math.log10(self.high / self.low) <= _FEW_DECADES else (1,)
        candidates = (mantissa * 10.0**decade for decade in decades for mantissa in mantissas)
        return tuple(tick for tick in candidates if self.low * 0.999 <= tick <= self.high * 1.001)


def from_zero(values: Iterable[float], start: float, end: float) -> Axis:
    """A linear axis from 0 to a round value not below any of ``values``."""
    top = max((value for value in values if value > 0), default=1.0)
    step = _step(top / 4)
    return Axis(0.0, math.ceil(top / step - 1e-9) * step, start, end, logarithmic=False)


def linear(values: Sequence[float], start: float, end: float) -> Axis:
    """A linear axis from the least to the greatest of ``values``."""
    low, high = min(values), max(values)
    return Axis(low, high if high > low else low + 1, start, end, logarithmic=False)


def logarithmic(values: Iterable[float], start: float, end: float) -> Axis:
    """A logarithmic axis with room around ``values``, all of them positive, between two round values."""
    known = list(values)
    return Axis(_round_down(min(known) / 1.05), _round_up(max(known) * 1.05), start, end, logarithmic=True)


def _step(least: float) -> float:
    """The smallest of 1, 2, 5, 10, ... and their tenths that is not below ``least``."""
    return _round_up(least)


def _round_up(value: float) -> float:
    decade = 10.0 ** math.floor(math.log10(value))
    return next(m * decade for m in (*_MANTISSAS, 10) if m * decade >= value * (1 - 1e-9))


def _round_down(value: float) -> float:
    decade = 10.0 ** math.floor(math.log10(value))
    return next(m * decade for m in reversed(_MANTISSAS) if m * decade <= value * (1 + 1e-9))
