"""Say what is wrong with an output."""

import math
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from grader.judge.outputs import IncompleteOutput, WrongOutput, find_wrong
from grader.labs.expected import Expected
from grader.model.element_types import COMPONENTS
from grader.model.plan import LaunchPlan
from grader.model.reason import Param, Reason, reason


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


def _description(found: WrongOutput, factor: float) -> Reason:
    answer, unwritten = found.first.answer, int(found.unwritten.sum())
    params: dict[str, Param] = {
        "count": int(found.wrong.sum()),
        "size": found.compared,
        "buffer": found.buffer.name,
        "element": _element(found),
    }
    if unwritten == params["count"]:
        return Reason(code="output-never-written", params=params)
    got = found.first.actual[found.at]
    if found.read_first and not found.first.is_whole and np.isnan(np.float64(got)):
        return Reason(code="output-read-first", params=params)
    params |= {"got": _shown(got), "want": _shown(np.asarray(answer.value)[found.at])}
    if unwritten:
        return Reason(code="output-partly-written", params=params | {"unwritten": unwritten})
    return _beyond(found, params, float(answer.allowed(found.first.dtype, factor)[found.at]))


def _beyond(found: WrongOutput, params: dict[str, Param], allowed: float) -> Reason:
    """A number that is written and wrong, by more than ``allowed``."""
    answer = found.first.answer
    if answer.unordered:
        return Reason(code="output-unexpected", params=params)
    if not allowed:
        return Reason(code="output-wrong", params=params)
    params["allowed"] = _rounded(allowed, 2)
    if answer.false_alarm:
        return Reason(code="output-improbable", params=params | {"chance": f"{answer.false_alarm:g}"})
    return Reason(code="output-beyond-tolerance", params=params)


def _element(found: WrongOutput) -> str:
    """The first wrong number as students write it: ``c[3]``, ``image[1][2].y`` or ``rays[7].origin[2]``."""
    dimensions = len(found.buffer.shape)
    element = found.buffer.name + "".join(f"[{i}]" for i in found.at[:dimensions])
    lanes = found.at[dimensions:]
    if found.first.member:
        return f"{element}.{found.first.member}" + "".join(f"[{i}]" for i in lanes)
    return element + "".join(f".{COMPONENTS[i]}" for i in lanes)


def _shown(value: Any) -> int | float | str:
    """A number to show: integers exactly, others with nine digits; as text where JSON has no number for it."""
    if value.dtype.kind in "biu":
        return int(value)
    return _rounded(float(value), 9)


def _rounded(value: float, digits: int) -> int | float | str:
    if not math.isfinite(value):
        return str(value)
    rounded = float(f"{value:.{digits}g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 10**digits else rounded
