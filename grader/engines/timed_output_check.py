"""Compares the output of a timed submission with the baseline's."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.model.element_arrays import any_number, sorting_order
from grader.model.element_types import DType, Element, NumberKind
from grader.model.plan import Buffer, LaunchPlan
from grader.model.reason import reason
from grader.model.run import Fault, OutputCheck
from grader.model.verdict import Verdict


def count_differing(left: bytes, right: bytes, element: Element, allowed: float) -> int:
    """The number of numbers that differ by more than ``allowed``; equal bit patterns never do.

    Raises: ``ValueError`` for arrays of different sizes.
    """
    if len(left) != len(right):
        msg = f"{len(left)} bytes cannot be compared with {len(right)}"
        raise ValueError(msg)
    ours, theirs = (np.frombuffer(data, element.numpy) for data in (left, right))
    return int(np.count_nonzero(_differing(ours, theirs, allowed)))


@dataclass(frozen=True, slots=True)
class OutputPair:
    """An output of the submission, in ``buffer``, and the baseline's.

    ``baseline_output`` gives another output of the baseline by its name.
    """

    buffer: Buffer
    ours: bytes
    theirs: bytes
    baseline_output: Callable[[str], NDArray[Any]]


def count_wrong(check: OutputCheck, pair: OutputPair) -> int:
    """The number of elements that are not as ``check`` asks."""
    ours, theirs = pair.buffer.array(pair.ours), pair.buffer.array(pair.theirs)
    length = _length(check, pair)
    ours, theirs = ours[:length], theirs[:length]
    if check.unordered:
        ours, theirs = (array[sorting_order(array)] for array in (ours, theirs))
    wrong = any_number(_differing(ours, theirs, check.allowed), len(pair.buffer.shape))
    if check.mask:
        bits = np.unpackbits(np.frombuffer(check.mask, np.uint8), count=pair.buffer.size)
        wrong &= bits.reshape(pair.buffer.shape)[:length].astype(np.bool_)
    return int(np.count_nonzero(wrong))


def wrong_output_fault(check: OutputCheck, plan: LaunchPlan, count: int) -> Fault:
    """The fault of a submission with ``count`` wrong elements."""
    wrong = reason(
        "wrong-while-timed", count=count, size=plan.buffer(check.submission).size, buffer=check.submission
    )
    return Fault(verdict=Verdict.WRONG, reason=wrong)


def _length(check: OutputCheck, pair: OutputPair) -> int | None:
    if not check.counted_by:
        return None
    return max(int(pair.baseline_output(check.counted_by).reshape(-1)[0]), 0)


def _differing(ours: NDArray[Any], theirs: NDArray[Any], allowed: float) -> NDArray[np.bool_]:
    if ours.dtype.names is not None:
        members = [_differing(ours[name], theirs[name], allowed) for name in ours.dtype.names]
        return np.asarray(np.any([any_number(each, ours.ndim) for each in members], axis=0))
    bits = np.dtype(f"u{ours.dtype.itemsize}")
    same = np.ascontiguousarray(ours).view(bits) == np.ascontiguousarray(theirs).view(bits)
    if allowed or DType(ours.dtype.name).kind is not NumberKind.WHOLE:
        wide = np.longdouble if ours.dtype.kind in "iu" else np.float64
        with np.errstate(invalid="ignore", over="ignore"):
            same |= np.abs(ours.astype(wide) - theirs.astype(wide)) <= allowed
    return np.asarray(~same)
