"""Compare outputs with the oracle, element by element, within the lab's tolerance."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs.lab import Expected
from grader.model.plan import Buffer, LaunchPlan, Role, poison_byte
from grader.model.reason import Param, Reason, reason
from grader.model.run import OutputCheck

_MARGIN = 3.0
"""Two kernels may each differ from the truth by the allowed error, and by slightly more on other inputs."""


@dataclass(frozen=True, slots=True)
class WrongOutput:
    """An output with wrong elements. ``unwritten`` are those of ``wrong`` that still hold the poison.

    ``read_first``: the kernel read elements before it wrote them, so poison may be the result of a computation.
    """

    buffer: Buffer
    actual: NDArray[Any]
    answer: Expected
    wrong: NDArray[np.bool_]
    unwritten: NDArray[np.bool_]
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
            early = name in read_first
            unwritten = np.zeros_like(wrong) if early else wrong & _poisoned(actual)
            return WrongOutput(buffer, actual, expected[name], wrong, unwritten, early)
    return None


def mismatch(
    outputs: Mapping[str, bytes],
    plan: LaunchPlan,
    expected: Mapping[str, Expected],
    factor: float,
    read_first: Collection[str] = (),
) -> Reason | None:
    """What is wrong with ``outputs``; ``None`` if every expected output is right.

    Arguments and errors as those of ``find_wrong``.
    """
    match find_wrong(outputs, plan, expected, factor, read_first):
        case IncompleteOutput(buffer, received):
            return reason("output-incomplete", buffer=buffer.name, count=received, expected=buffer.nbytes)
        case WrongOutput() as found:
            return _description(found, factor)
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


def _description(found: WrongOutput, factor: float) -> Reason:
    buffer, actual, answer = found.buffer, found.actual, found.answer
    unwritten = int(found.unwritten.sum())
    first = tuple(int(i) for i in np.argwhere(found.wrong)[0])
    params: dict[str, Param] = {
        "count": int(found.wrong.sum()),
        "size": buffer.size,
        "buffer": buffer.name,
        "element": buffer.name + "".join(f"[{i}]" for i in first),
    }
    if unwritten == params["count"]:
        return Reason(code="output-never-written", params=params)
    if found.read_first and found.actual.dtype.kind == "f" and np.isnan(actual[first]):
        return Reason(code="output-read-first", params=params)
    params |= {"got": _shown(actual[first]), "want": _shown(np.asarray(answer.value)[first])}
    if unwritten:
        return Reason(code="output-partly-written", params=params | {"unwritten": unwritten})
    if np.issubdtype(actual.dtype, np.integer) or factor == 0:
        return Reason(code="output-wrong", params=params)
    allowed = float(allowed_error(actual.dtype, answer, factor)[first])
    return Reason(code="output-beyond-tolerance", params=params | {"allowed": _rounded(allowed, 2)})


def _shown(value: np.generic) -> int | float | str:
    """An element to show: integers exactly, others with nine digits; as text where JSON has no number for it."""
    if np.issubdtype(value.dtype, np.integer):
        return int(value)
    return _rounded(float(value), 9)


def _rounded(value: float, digits: int) -> int | float | str:
    if not math.isfinite(value):
        return str(value)
    rounded = float(f"{value:.{digits}g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 10**digits else rounded


def _poisoned(actual: NDArray[Any]) -> NDArray[np.bool_]:
    size = actual.dtype.itemsize
    poison = int.from_bytes(bytes([poison_byte(actual.dtype)]) * size, "little")
    return np.asarray(np.ascontiguousarray(actual).view(f"u{size}") == poison)
