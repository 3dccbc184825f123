"""What a report shows of the rubric: lines that wait for right kernels as one, and the next points."""

from dataclasses import replace

import pytest

from grader.messages.catalogue import CATALOGUE
from grader.model.reason import reason
from grader.model.report import Part, Withheld
from grader.model.verdict import Verdict
from grader.report.rubric import UNTIL_RIGHT, next_step, rubric_lines
from tests.report.examples import GOOD_ROW_SUM, WRONG_ROW_SUM

RIGHT = reason("cases-right", right=3, total=3)


def part(name: str, score: float, most: float, code: str = "") -> Part:
    title = reason("part-correctness", kernel=name)
    return Part(name=name, title=title, score=score, max_score=most, reason=reason(code) if code else RIGHT)


def test_lines_that_wait_for_right_kernels_become_one() -> None:
    lines = rubric_lines(
        [
            part("a", 10, 10),
            part("b", 0, 5, "agreement-not-judged"),
            part("c", 0, 6, "technique-needs-right-kernel"),
            part("d", 3, 4),
            part("e", 0, 8, "speed-needs-right-kernel"),
        ]
    )
    assert [line.name for line in lines] == ["a", "", "d"]
    together = lines[1]
    assert together.title == reason("parts-that-wait", count=3)
    assert (together.score, together.max_score) == (0, 19)
    assert sum(line.max_score for line in lines) == 33


@pytest.mark.parametrize("unjudged", sorted(UNTIL_RIGHT))
def test_a_single_line_that_waits_keeps_its_words(unjudged: str) -> None:
    parts = (part("a", 10, 10), part("b", 0, 5, unjudged))
    assert rubric_lines(parts) == parts
    assert unjudged in CATALOGUE


def test_the_next_step_is_the_first_line_with_missing_points() -> None:
    parts = (part("a", 10, 10), part("b", 3, 5.5, "technique-used"), part("c", 0, 9))
    said = next_step(replace(GOOD_ROW_SUM, parts=parts))
    assert said is not None
    assert (said.code, said.params["points"], said.params["count"]) == ("next-step", 2.5, 2)
    assert said.params["reason"] == parts[1].reason


def test_points_that_cannot_be_earned_here_are_no_next_step() -> None:
    withheld = Withheld(score=5, reason=RIGHT)
    parts = (replace(part("a", 0, 5), waits_for_gpu=True), replace(part("b", 0, 5), withheld=withheld))
    assert next_step(replace(GOOD_ROW_SUM, parts=parts)) is None


def test_a_wrong_kernel_is_the_next_step_itself() -> None:
    assert WRONG_ROW_SUM.kernels[0].verdict is not Verdict.ACCEPTED
    assert next_step(replace(WRONG_ROW_SUM, parts=(part("a", 0, 5),))) is None


def test_a_submission_with_all_points_has_no_next_step() -> None:
    assert next_step(replace(GOOD_ROW_SUM, parts=(part("a", 5, 5),))) is None
