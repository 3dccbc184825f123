"""``result.json`` of one submission (``classroom50/result/v1``): all points are whole numbers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from grader.model.report import Part
from grader.model.text import printable

SCHEMA = "classroom50/result/v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultContext:
    """Which submission it is: what the runner of classroom50 has in its environment. The collector checks it."""

    classroom: str
    assignment: str
    submission: str
    commit: str
    release: str
    review: str = ""


def result(
    context: ResultContext, parts: Sequence[Part], points: float, max_points: float, at: datetime
) -> dict[str, Any]:
    """The document for ``points`` of ``max_points``: a test for each line of the rubric.

    The tests add up to the score. Where the points are not those of the rubric, because of a penalty or a decision, the
    document has one test.
    """
    lines = [(printable(part.name), part.score, part.max_score) for part in parts]
    if not math.isclose(sum(score for _, score, _ in lines), points, abs_tol=1e-6):
        lines = [(context.assignment, points, max_points)]
    most = whole([limit for _, _, limit in lines])
    scores = whole([score for _, score, _ in lines], most)
    tests = [
        {"test-name": name, "passed": score >= limit, "score": got, "max-score": whole_limit}
        for (name, score, limit), got, whole_limit in zip(lines, scores, most, strict=True)
    ]
    return {
        "schema": SCHEMA,
        "classroom": context.classroom,
        "assignment": context.assignment,
        "submission": context.submission,
        "commit": context.commit,
        "release": context.release,
        "review": context.review or context.commit,
        "datetime": at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "score": sum(scores),
        "max-score": sum(most),
        "tests": tests,
    }


def whole(values: Sequence[float], limits: Sequence[int] = ()) -> list[int]:
    """``values`` as whole numbers that add up to their rounded sum, each at most its limit.

    The largest fractions are rounded up.
    """
    floors = [math.floor(value + 1e-9) for value in values]
    missing = math.floor(sum(values) + 0.5) - sum(floors)
    by_fraction = sorted(range(len(values)), key=lambda each: floors[each] - values[each])
    for index in by_fraction:
        if missing > 0 and (not limits or floors[index] < limits[index]):
            floors[index] += 1
            missing -= 1
    return floors
