"""Which of the lab's arguments each parameter of a submitted kernel takes."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Self

from grader.model.element_types import Composite, DType, Element, NumberKind
from grader.model.kernel import Param

_SMALL = 2
"""Bytes of the largest number of which several are read or written at once as a larger one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """The argument for one parameter of a kernel.

    ``source`` indexes the lab's parameters. ``dtype`` is the type of what is passed by value; ``None`` for an array.
    """

    source: int
    dtype: Element | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentMap:
    """The arguments of a kernel, in the order of its own parameters."""

    passed: tuple[Passed, ...]

    @classmethod
    def identity(cls, params: Sequence[Param]) -> Self:
        """The lab's arguments in the lab's order and types."""
        return cls(
            passed=tuple(Passed(source=index, dtype=value_type(param)) for index, param in enumerate(params))
        )

    def suits(self, params: Sequence[Param]) -> bool:
        """Whether each argument exists and has a type in which its value can be passed."""
        return all(
            0 <= each.source < len(params) and _suits(params[each.source], each.dtype) for each in self.passed
        )


def value_type(param: Param) -> Element | None:
    """The type of what is passed by value; ``None`` for an array."""
    return None if param.is_array else param.dtype


def can_pass(param: Param, element: Element) -> bool:
    """Whether the value of ``param`` can be passed as ``element``, or as an array of such elements.

    A number may be passed in a wider type of its kind, a vector or a struct as another one with the same numbers. An
    array may be read as elements of another layout if all numbers of both have one kind and size, or as whole numbers
    that are as large as its elements.
    """
    if not param.is_array:
        if isinstance(param.dtype, Composite) or isinstance(element, Composite):
            same = layout_of(param.dtype) == layout_of(element)
            return same and type(param.dtype) is type(element) and param.dtype.itemsize == element.itemsize
        return param.dtype.kind is element.kind and param.dtype.itemsize <= element.itemsize
    return (
        layout_of(param.dtype) == layout_of(element)
        or _packs(param.dtype, element)
        or _packs(element, param.dtype)
    )


def _suits(param: Param, dtype: Element | None) -> bool:
    return param.is_array if dtype is None else not param.is_array and can_pass(param, dtype)


def layout_of(element: Element) -> Hashable:
    """What two elements must share to be views of each other: the one type of their numbers, or every member."""
    kinds = {(number.kind, number.itemsize) for number in element.numbers}
    if len(kinds) == 1 and element.itemsize == sum(number.itemsize for number in element.numbers):
        return kinds.pop()
    return element


def _packs(packed: Element, element: Element) -> bool:
    """Whether ``packed``, several small numbers, is read or written as one whole number ``element``."""
    return (
        isinstance(packed, Composite)
        and isinstance(element, DType)
        and element.kind is NumberKind.WHOLE
        and packed.itemsize == element.itemsize
        and all(number.itemsize <= _SMALL for number in packed.numbers)
    )
