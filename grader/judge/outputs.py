"""Compare outputs with what the lab expects, element by element."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.judge.numbers import Numbers, numbers_of, widened
from grader.judge.ordering import in_order_of
from grader.labs.expected import Expected
from grader.model.element_arrays import any_number
from grader.model.element_types import DType, Element, NumberKind
from grader.model.plan import Buffer, LaunchPlan, Role, poison_byte

_Mask = NDArray[np.bool_]

_TELLING_BITS = 32
"""Bits that hardly ever have the value of the poison by accident."""


@dataclass(frozen=True, slots=True)
class WrongOutput:
    """An output with wrong elements, in masks of the buffer's shape.

    ``unwritten`` are those of ``wrong`` that still hold the poison. ``compared`` elements count. ``first`` holds the
    first wrong number, ``at`` these indices. ``read_first``: the kernel read elements before it wrote them, so poison
    may be the result of a computation.
    """

    buffer: Buffer
    first: Numbers
    at: tuple[int, ...]
    wrong: _Mask
    unwritten: _Mask
    compared: int
    read_first: bool


@dataclass(frozen=True, slots=True)
class IncompleteOutput:
    """An output that came back with a wrong number of ``received`` bytes."""

    buffer: Buffer
    received: int


def find_wrong(
    outputs: Mapping[str, bytes],
    plan: LaunchPlan,
    expected: Mapping[str, Expected],
    factor: float,
    read_first: Collection[str] = (),
) -> WrongOutput | IncompleteOutput | None:
    """The first output of the plan that is wrong; ``None`` if every expected output is right.

    ``factor`` is the manifest's tolerance factor; ``read_first`` are the outputs that the kernel read before it wrote
    them. Every output of the plan that the oracle names must be complete;
    kernels of one lab may write different ones. Raises: ``KeyError`` if the oracle names none of the plan's.
    """
    written = {buffer.name: buffer for buffer in plan.returned if buffer.name in expected}
    if not written:
        raise KeyError(*expected)
    for name, buffer in written.items():
        data = outputs.get(name, b"")
        if len(data) != buffer.nbytes:
            return IncompleteOutput(buffer, len(data))
        found = _best_fit(buffer, buffer.array(data), expected[name], factor, read_first=name in read_first)
        if found is not None:
            return found
    return None


def arrays_of(outputs: Mapping[str, bytes], plan: LaunchPlan) -> dict[str, NDArray[Any]]:
    """Output buffers of a run as arrays; incomplete ones are left out."""
    return {
        buffer.name: buffer.array(outputs[buffer.name])
        for buffer in plan.returned
        if len(outputs.get(buffer.name, b"")) == buffer.nbytes
    }


def is_written(array: NDArray[Any]) -> bool:
    """Whether a kernel has written ``array``: no poison is left.

    Integer poison is an ordinary number, so an integer array counts as written if any element differs from it.
    """
    members = list(numbers_of(array, Expected(array)))
    poisoned = [_poisoned(each.actual, _poison_of(members)) for each in members]
    if all(each.is_whole for each in members):
        return not all(each.all() for each in poisoned)
    return not any(each.any() for each in poisoned)


def within(actual: NDArray[Any], answer: Expected, factor: float) -> _Mask:
    """Whether each number is as near to its value as ``answer`` asks. NaN and infinities must match exactly."""
    value, dtype = np.asarray(answer.value), DType(actual.dtype.name)
    same = np.asarray(actual == value)  # fast path for labs that only copy numbers
    if same.all():
        return same
    is_whole = dtype.kind is NumberKind.WHOLE
    if is_whole and not np.any(answer.atol) and not answer.rtol:
        return same
    wide, exact = widened(actual), widened(value)
    with np.errstate(invalid="ignore", over="ignore"):
        close = np.abs(wide - exact) <= answer.allowed(dtype, factor)
    if is_whole:
        return np.asarray(same | close)
    return np.asarray(
        same | (np.isnan(wide) & np.isnan(exact)) | (close & np.isfinite(wide) & np.isfinite(exact))
    )


def counted(shape: tuple[int, ...], answer: Expected) -> _Mask:
    """The elements of an output of ``shape`` that ``answer`` is about."""
    mask = np.zeros(shape, np.bool_)
    mask[: answer.length] = True
    return mask if answer.mask is None else mask & answer.mask


def _best_fit(
    buffer: Buffer, array: NDArray[Any], answer: Expected, factor: float, *, read_first: bool
) -> WrongOutput | None:
    """The wrong elements by the value of ``answer`` that fits best; ``None`` if none is wrong."""
    array = array[: answer.length]
    found: list[WrongOutput] = []
    for each in answer.answers():
        aligned = in_order_of(array, each) if each.unordered else each
        wrong = _wrong_elements(buffer, array, aligned, factor, read_first=read_first)
        if wrong is None:
            return None
        found.append(wrong)
    return min(found, key=lambda each: int(each.wrong.sum()))


def _wrong_elements(
    buffer: Buffer, array: NDArray[Any], answer: Expected, factor: float, *, read_first: bool
) -> WrongOutput | None:
    mask = counted(buffer.shape, answer)
    wrong, unwritten = np.zeros(buffer.shape, np.bool_), np.ones(buffer.shape, np.bool_)
    first: tuple[Numbers, tuple[int, ...]] | None = None
    part = slice(answer.length)
    poison = poison_byte(buffer.dtype)
    for each in numbers_of(array, answer):
        poisoned = _poisoned(each.actual, poison)
        off = ~within(each.actual, each.answer, factor)
        if buffer.role is Role.OUTPUT and not each.is_whole:
            # This NaN has a bit pattern that no computation gives. Whole numbers are left to the oracle.
            off |= poisoned
        off &= mask[part].reshape(mask[part].shape + (1,) * (off.ndim - mask.ndim))
        if first is None and off.any():
            first = each, tuple(int(i) for i in np.argwhere(off)[0])
        wrong[part] |= any_number(off, mask.ndim)
        unwritten[part] &= any_number(poisoned, mask.ndim)
    if first is None:
        return None
    unwritten &= wrong
    if read_first or not _shows_poison(buffer.dtype, wrong, unwritten):
        unwritten = np.zeros_like(wrong)
    return WrongOutput(buffer, *first, wrong, unwritten, int(mask.sum()), read_first)


def _shows_poison(element: Element, wrong: _Mask, unwritten: _Mask) -> bool:
    """Whether the poison in ``unwritten`` shows that nothing was written there.

    Small whole numbers often have the value of the poison. If all that are wrong have it, this is no accident.
    """
    bits = 8 * sum(number.itemsize for number in element.numbers)
    if bits >= _TELLING_BITS or any(number.kind is not NumberKind.WHOLE for number in element.numbers):
        return True
    count = int(wrong.sum())
    return count == int(unwritten.sum()) and count * bits >= _TELLING_BITS


def _poison_of(members: list[Numbers]) -> int:
    """The byte of the poison in an array of these numbers."""
    return next(
        (poison_byte(each.dtype) for each in members if not each.is_whole), poison_byte(members[0].dtype)
    )


def _poisoned(actual: NDArray[Any], poison: int) -> _Mask:
    size = actual.dtype.itemsize
    pattern = int.from_bytes(bytes([poison]) * size, "little")
    return np.asarray(np.ascontiguousarray(actual).view(f"u{size}") == pattern)
