"""Which of the lab's arguments each parameter of a submitted kernel takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from grader.model.kernel import DType, Param


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """The argument for one parameter of a kernel.

    ``source`` indexes the lab's parameters. ``dtype`` is the type in which a number is passed, and the element type of
    an array.
    """

    source: int
    dtype: DType


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentMap:
    """The arguments of a kernel, in the order of its own parameters."""

    passed: tuple[Passed, ...]

    @classmethod
    def identity(cls, params: Sequence[Param]) -> Self:
        """The lab's arguments in the lab's order and types."""
        return cls(
            passed=tuple(Passed(source=index, dtype=param.dtype) for index, param in enumerate(params))
        )

    def suits(self, params: Sequence[Param]) -> bool:
        """Whether each argument exists and has a type in which its value can be passed."""
        return all(
            0 <= each.source < len(params) and can_pass(params[each.source], each.dtype)
            for each in self.passed
        )


def can_pass(param: Param, dtype: DType) -> bool:
    """Whether the value of ``param`` can be passed as ``dtype``.

    An array needs elements of the same size, whole numbers as whole numbers. A number may be passed in a wider type.
    """
    wider = dtype.itemsize > param.dtype.itemsize and not param.is_array
    same_size = dtype.itemsize == param.dtype.itemsize
    return is_whole(dtype) == is_whole(param.dtype) and (same_size or wider)


def is_whole(dtype: DType) -> bool:
    """Whether ``dtype`` is a type of whole numbers."""
    return dtype not in {DType.FLOAT32, DType.FLOAT64}
