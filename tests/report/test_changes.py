"""What differs between two gradings."""

from dataclasses import replace

import pytest

from grader.model.reason import as_written
from grader.model.report import Part, Report
from grader.model.verdict import Verdict
from grader.report.changes import Direction, PartChange, changes
from tests.report.examples import kernel, report


def graded(student: str = "ada", score: float = 50, verdict: Verdict = Verdict.ACCEPTED) -> Report:
    parts = (
        Part(name="correctness", score=40, max_score=60, reason=as_written("some")),
        Part(name="speed", score=score - 40, max_score=40, reason=as_written(f"{score:g} in all")),
    )
    made = report(student, "row-sum", kernel("row_sum"), score=score, parts=parts)
    return replace(made, verdict=verdict)


@pytest.mark.parametrize(
    ("after", "direction"),
    [
        (graded(score=60), Direction.UP),
        (graded(score=45), Direction.DOWN),
        (graded(verdict=Verdict.NOT_GRADABLE), Direction.DOWN),
        (graded(verdict=Verdict.SUSPICIOUS), Direction.LEVEL),
    ],
    ids=lambda value: "" if isinstance(value, Report) else value,
)
def test_points_and_verdicts_decide_the_direction(after: Report, direction: Direction) -> None:
    (change,) = changes([graded()], [after])
    assert change.direction is direction


def test_a_result_of_one_grading_only_is_new_or_gone() -> None:
    found = changes([graded("ada"), graded("bob")], [graded("bob"), graded("cyd")])
    assert [(each.report.student, each.direction) for each in found] == [
        ("ada", Direction.GONE),
        ("cyd", Direction.NEW),
    ]


def test_only_changed_rubric_lines_are_named() -> None:
    (change,) = changes([graded()], [graded(score=60)])
    assert change.parts == (
        PartChange(title=as_written("speed"), before=10, after=20, reason=as_written("60 in all")),
    )


def test_another_reason_for_the_same_points_is_no_difference() -> None:
    assert changes([graded()], [replace(graded(), reason=as_written("in other words"))]) == ()
