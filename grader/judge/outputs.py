"""Compare outputs with the oracle, element by element, within the lab's tolerance."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs.lab import Expected
from grader.model.plan import Buffer, LaunchPlan, Role, poison_byte
from grader.model.run import OutputCheck

_MARGIN = 3.0
"""Two kernels may each differ from the truth by the allowed error, and by slightly more on other inputs."""


@dataclass(frozen=True, slots=True)
class WrongOutput:
    """An output with wrong elements. ``unwritten`` are those of ``wrong`` that still hold the poison."""

    buffer: Buffer
    actual: NDArray[Any]
    answer: Expected
    wrong: NDArray[np.bool_]
    unwritten: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class IncompleteOutput:
    """An output that came back with a wrong number of ``received`` bytes."""

    buffer: Buffer
    received: int


def find_wrong(
    outputs: Mapping[str, bytes], plan: LaunchPlan, expected: Mapping[str, Expected], factor: float
) -> WrongOutput | IncompleteOutput | None:
    """The first output of the plan that is wrong; ``None`` if every expected output is right.

    ``factor`` is the manifest's tolerance factor. Every output of the plan that the oracle names must be complete;
    kernels of one lab may write different ones. Raises: ``KeyError`` if the oracle names none of the plan's.
    """
    written = {buffer.name: buffer for buffer in plan.buffers if buffer.name in expected}
    if not written:
        raise KeyError(*expected)
    for name, buffer in written.items():
        data = outputs.get(name, b"")
        if len(data) != buffer.nbytes:
            return IncompleteOutput(buffer, len(data))
        actual = np.frombuffer(data, buffer.dtype.numpy).reshape(buffer.shape)
        wrong = ~within(actual, expected[name], factor) | _left_out(actual, buffer)
        if wrong.any():
            return WrongOutput(buffer, actual, expected[name], wrong, wrong & _poisoned(actual))
    return None


def mismatch(
    outputs: Mapping[str, bytes], plan: LaunchPlan, expected: Mapping[str, Expected], factor: float
) -> str | None:
    """Describe in one sentence what is wrong with ``outputs``; ``None`` if every expected output is right.

    Arguments and errors as those of ``find_wrong``.
    """
    match find_wrong(outputs, plan, expected, factor):
        case IncompleteOutput(buffer, received):
            return f"{buffer.name} came back with {received} bytes instead of {buffer.nbytes}"
        case WrongOutput() as found:
            return _describe(found, factor)
    return None


def output_checks(
    submission: LaunchPlan, baseline: LaunchPlan, expected: Mapping[str, Expected], factor: float
) -> tuple[OutputCheck, ...]:
    """How closely the outputs of two plans must agree, by the oracle's bound for inputs like those of ``expected``.

    Outputs are matched by their order in the plans, because the baseline may name one differently.
    Raises: ``ValueError`` if the two plans write different outputs.
    """
    ours, theirs = (
        [each for each in plan.buffers if each.name in expected] for plan in (submission, baseline)
    )
    if not ours or [(each.dtype, each.shape) for each in ours] != [
        (each.dtype, each.shape) for each in theirs
    ]:
        msg = "the submission and its baseline write different outputs"
        raise ValueError(msg)
    return tuple(
        OutputCheck(
            submission=our.name,
            baseline=their.name,
            allowed=_MARGIN * _largest_error(our.dtype.numpy, expected[our.name], factor),
        )
        for our, their in zip(ours, theirs, strict=True)
    )


def _largest_error(dtype: np.dtype[Any], answer: Expected, factor: float) -> float:
    """The largest error allowed in any element; 0 for integers."""
    if np.issubdtype(dtype, np.integer):
        return 0.0
    return float(np.max(allowed_error(dtype, answer, factor), initial=0.0))


def is_written(array: NDArray[Any]) -> bool:
    """Whether a kernel has written ``array``: no poison is left.

    Integer poison is an ordinary number, so an integer array counts as written if any element differs from it.
    """
    poisoned = _poisoned(array)
    return not (poisoned.all() if np.issubdtype(array.dtype, np.integer) else poisoned.any())


def arrays_of(outputs: Mapping[str, bytes], plan: LaunchPlan) -> dict[str, NDArray[Any]]:
    """Output buffers of a run as arrays; incomplete ones are left out."""
    return {
        buffer.name: np.frombuffer(outputs[buffer.name], buffer.dtype.numpy).reshape(buffer.shape)
        for buffer in plan.returned
        if len(outputs.get(buffer.name, b"")) == buffer.nbytes
    }


def within(actual: NDArray[Any], answer: Expected, factor: float) -> NDArray[np.bool_]:
    """Elementwise: is ``|actual - value| <= factor * u * scale``? NaN and infinities must match exactly."""
    value = np.asarray(answer.value)
    if np.issubdtype(actual.dtype, np.integer):
        return np.asarray(actual == value)
    same = np.asarray(actual == value)  # fast path for labs that only copy numbers
    if same.all():
        return same
    wide = actual.astype(np.float64)
    exact = same | (np.isnan(wide) & np.isnan(value))
    with np.errstate(invalid="ignore", over="ignore"):
        close = np.abs(wide - value) <= allowed_error(actual.dtype, answer, factor)
    return np.asarray(exact | (close & np.isfinite(wide) & np.isfinite(value)))


def allowed_error(dtype: np.dtype[Any], answer: Expected, factor: float) -> NDArray[np.float64]:
    """``factor * u * scale`` per element; u is the unit roundoff of ``dtype`` (half its machine epsilon)."""
    roundoff = float(np.finfo(dtype).eps) / 2
    return np.broadcast_to(
        np.asarray(answer.scale, dtype=np.float64) * factor * roundoff, np.shape(answer.value)
    )


def _left_out(actual: NDArray[Any], buffer: Buffer) -> NDArray[np.bool_]:
    """Elements that still hold the poison: a NaN with a bit pattern that no computation produces.

    Integers are left to the oracle, because their poison is an ordinary number.
    """
    if buffer.role is not Role.OUTPUT or np.issubdtype(actual.dtype, np.integer):
        return np.zeros(actual.shape, np.bool_)
    return _poisoned(actual)


def _describe(found: WrongOutput, factor: float) -> str:
    buffer, actual, answer, wrong = found.buffer, found.actual, found.answer, found.wrong
    count = int(wrong.sum())
    unwritten = int(found.unwritten.sum())
    first = tuple(int(i) for i in np.argwhere(wrong)[0])
    where = "".join(f"[{i}]" for i in first)
    of = f"{count} of {buffer.size} element{'s' if buffer.size > 1 else ''} of {buffer.name}"
    if unwritten == count:
        return f"{of} {'were' if count > 1 else 'was'} never written, the first is {buffer.name}{where}"
    got, want = actual[first], np.asarray(answer.value)[first]
    digits = "d" if np.issubdtype(actual.dtype, np.integer) else ".9g"
    text = (
        f"{of} {'are' if count > 1 else 'is'} wrong;"
        f" {buffer.name}{where} is {got:{digits}}, expected {want:{digits}}"
    )
    if np.issubdtype(actual.dtype, np.floating) and factor > 0:
        text += f" (allowed error {allowed_error(actual.dtype, answer, factor)[first]:.2g})"
    if unwritten:
        text += f"; {unwritten} of them {'were' if unwritten > 1 else 'was'} never written"
    return text


def _poisoned(actual: NDArray[Any]) -> NDArray[np.bool_]:
    size = actual.dtype.itemsize
    poison = int.from_bytes(bytes([poison_byte(actual.dtype)]) * size, "little")
    return np.asarray(np.ascontiguousarray(actual).view(f"u{size}") == poison)
