"""The numbers of an output of any element type, and what is expected of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs.expected import Expected
from grader.model.element_types import DType, NumberKind


@dataclass(frozen=True, slots=True)
class Numbers:
    """All numbers of an output, or those of the ``member`` of its structs, and the answer about them."""

    member: str
    dtype: DType
    actual: NDArray[Any]
    answer: Expected

    @property
    def is_whole(self) -> bool:
        """Whether they are whole numbers."""
        return self.dtype.kind is NumberKind.WHOLE

    @property
    def wide(self) -> NDArray[Any]:
        """The numbers in a type that holds each exactly."""
        return widened(self.actual)


def numbers_of(array: NDArray[Any], answer: Expected) -> Iterator[Numbers]:
    """The numbers of ``array``, member by member."""
    if array.dtype.names is None:
        yield _numbers("", array, answer)
    else:
        for name in array.dtype.names:
            yield _numbers(name, array[name], answer.member(name))


def widened(array: NDArray[Any]) -> NDArray[Any]:
    """``array`` in a type that holds each of its numbers exactly."""
    return array.astype(np.longdouble if array.dtype.kind in "iu" else np.float64)


def _numbers(member: str, array: NDArray[Any], answer: Expected) -> Numbers:
    # Booleans are compared as bytes: one that is neither 0 nor 1 was not written.
    actual = array.view(np.uint8) if array.dtype == np.bool_ else array
    return Numbers(member, DType(array.dtype.name), actual, answer)
