"""No lab asks for more than its best rung reached on an H200 and an H100; the page says what thresholds are worth."""

import pytest

from benchmarks.measured_thresholds import (
    CALIBRATED,
    CALIBRATION,
    PAGE,
    SECTION,
    Judged,
    calibrated,
    judged,
    table,
)
from benchmarks.pages import section
from grader.labs.lab import Lab
from grader.model.calibration import Judgement
from grader.model.submission import Language
from grader.report import calibrations
from tests.gpu.ladder import labs


@pytest.mark.parametrize("lab", labs(), ids=lambda lab: lab.name)
def test_the_best_rung_reached_every_threshold_on_an_h200(lab: Lab) -> None:
    found = list(judged(lab))
    assert {each.kernel for each in found} == {rule.kernel for rule in lab.manifest.rubric.speed}
    assert [each for each in found if each.judgement is Judgement.UNREACHABLE] == []


def test_a_row_counts_the_judgements_and_names_the_tightest() -> None:
    known = [
        Judged(lab="a", kernel="k", language=Language.NUMBA, asked=asked, best=best, judgement=judgement)
        for asked, best, judgement in [
            (2.0, 5.0, Judgement.SOUND),
            (0.8, 5.0, Judgement.TRIVIAL),
            (4.0, 5.0, Judgement.SOUND),
        ]
    ]
    assert table(known).splitlines()[2:] == ["| a | 3 | 2 | 1 | 0 | 1.25 |", "| all | 3 | 2 | 1 | 0 |  |"]


def test_the_page_shows_what_was_measured() -> None:
    shown = section(PAGE.read_text(encoding="utf-8"), SECTION)
    assert shown == table([each for lab in labs() for each in judged(lab)])


def test_the_calibration_on_the_h100_is_whole_and_found_no_threshold_out_of_reach() -> None:
    found = calibrations.read(CALIBRATION)
    assert sorted(ladder.lab for ladder in found.ladders) == [lab.name for lab in labs()]
    asked = {(lab.name, rule.kernel, rule.over) for lab in labs() for rule in lab.manifest.rubric.speed}
    assert {(each.lab, each.kernel, each.over) for each in found.thresholds} == asked
    assert [each for each in found.thresholds if each.judgement is Judgement.UNREACHABLE] == []
    assert section(PAGE.read_text(encoding="utf-8"), CALIBRATED) == calibrated(found)
