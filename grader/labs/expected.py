"""What a lab expects of an output: values, how far each may be off, and which elements count."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from grader.model.element_types import DType, NumberKind


@dataclass(frozen=True, slots=True, kw_only=True)
class _Options:
    """How an output is compared; the docstring of ``Expected`` explains each."""

    atol: NDArray[Any] | float = 0.0
    rtol: float = 0.0
    ulp: float = 0.0
    mask: NDArray[np.bool_] | None = None
    length: int | None = None
    counted_by: str = ""
    unordered: bool = False
    alternatives: tuple[NDArray[Any], ...] = ()
    false_alarm: float = 0.0


@dataclass(frozen=True, slots=True)
class Expected(_Options):
    """An expected output: ``value`` in float64 or exact integers, and how far an element may be off.

    An array of vectors has one axis more, for the components; an array of structs has records with its members' names.

    An element is right within ``factor * u * scale + atol + rtol * |value| + ulp * s``: ``factor`` is the manifest's,
    ``u`` the unit roundoff of the output's type, and ``s`` the distance from ``value`` to the next number of the type.
    ``scale`` and ``atol`` broadcast to the shape of ``value``. Whole numbers have only ``atol`` and ``rtol``.

    - ``mask`` has the buffer's shape; elements where it is false may hold anything.
    - ``length``: only so many elements of the first axis count, and ``value`` has only these. ``counted_by`` names the
      output with that number as its first element, by which timed launches are compared on the device.
    - ``unordered``: the elements of the first axis may come in any order.
    - ``alternatives``: other values of the whole output that are as right.
    - ``false_alarm``: the probability that a right kernel is refused, where the bound is statistical.
    """

    value: NDArray[Any]
    scale: NDArray[Any] | float = 0.0

    @classmethod
    def statistical(
        cls, mean: NDArray[Any] | float, deviation: NDArray[Any] | float, *, false_alarm: float = 1e-6
    ) -> Self:
        """An output of random numbers: normally distributed about ``mean`` with the standard ``deviation``.

        A right kernel is refused with the probability ``false_alarm`` for each element.
        Raises: ``ValueError`` unless ``false_alarm`` is above 0 and at most 0.01.
        """
        if not 0 < false_alarm <= _MOST_FALSE_ALARMS:
            msg = f"false_alarm must be above 0 and at most {_MOST_FALSE_ALARMS}, not {false_alarm:g}"
            raise ValueError(msg)
        deviations = NormalDist().inv_cdf(1 - false_alarm / 2)
        return cls(
            np.asarray(mean, np.float64), atol=deviations * np.asarray(deviation), false_alarm=false_alarm
        )

    def answers(self) -> Iterator["Expected"]:
        """This answer for each of its values."""
        for value in (self.value, *self.alternatives):
            yield replace(self, value=value, alternatives=())

    def member(self, name: str) -> "Expected":
        """The answer about one member of structs."""
        return replace(
            self,
            value=self.value[name],
            scale=_member(self.scale, name),
            atol=_member(self.atol, name),
            alternatives=tuple(value[name] for value in self.alternatives),
        )

    def allowed(self, dtype: DType, factor: float) -> NDArray[np.float64]:
        """The largest error of each number of type ``dtype``; ``factor`` is the manifest's."""
        value = np.asarray(self.value)
        with np.errstate(invalid="ignore", over="ignore"):
            bound = np.asarray(self.atol, dtype=np.float64)
            if self.rtol:
                bound = bound + self.rtol * np.abs(value.astype(np.float64))
            if dtype.kind is not NumberKind.WHOLE:
                bound = bound + np.asarray(self.scale, dtype=np.float64) * factor * (dtype.epsilon / 2)
                if self.ulp:
                    bound = bound + self.ulp * _spacing(value.astype(np.float64), dtype)
        return np.broadcast_to(bound, value.shape)


_MOST_FALSE_ALARMS = 0.01

_LEAST_EXPONENTS = {DType.FLOAT16: -14, DType.BFLOAT16: -126, DType.FLOAT32: -126, DType.FLOAT64: -1022}


def _spacing(value: NDArray[np.float64], dtype: DType) -> NDArray[np.float64]:
    """The distance from each value to the next number of ``dtype``; that of subnormal numbers at least."""
    _, exponents = np.frexp(np.where(np.isfinite(value), value, 1.0))
    return np.asarray(np.ldexp(dtype.epsilon, np.maximum(exponents - 1, _LEAST_EXPONENTS[dtype])))


def _member(given: NDArray[Any] | float, name: str) -> NDArray[Any] | float:
    if isinstance(given, np.ndarray) and given.dtype.names is not None:
        return np.asarray(given[name])
    return given
