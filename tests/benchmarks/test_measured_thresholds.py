"""No lab asks for more than its best rung reached on an H200 and an H100; the pages say what was measured."""

import pytest

from benchmarks.measured_thresholds import (
    CALIBRATED,
    COURSE_PACK,
    ONE_MEMORY,
    PACK_SECTION,
    PAGE,
    THEMSELVES,
    TIMING_PAGE,
    beside_themselves,
    calibrated,
    of_course_pack,
    table,
    themselves,
)
from grader.model.calibration import Judgement, Threshold
from grader.model.submission import Language
from grader.report import calibrations
from tools.labs import recorded_labs
from tools.pages import section


@pytest.mark.parametrize("device", list(CALIBRATED))
def test_a_calibration_is_complete_and_each_threshold_is_reached(device: str) -> None:
    found = calibrations.read(CALIBRATED[device])
    assert sorted(ladder.lab for ladder in found.ladders) == [lab.name for lab in recorded_labs()]
    asked = {
        (lab.name, rule.kernel, rule.over, target)
        for lab in recorded_labs()
        for rule in lab.manifest.rubric.speed
        for target in rule.targets
    }
    assert {(each.lab, each.kernel, each.over, each.asked) for each in found.thresholds} == asked
    assert [each for each in found.thresholds if each.judgement is Judgement.UNREACHABLE] == []


@pytest.mark.parametrize("device", list(CALIBRATED))
def test_the_page_shows_what_was_calibrated(device: str) -> None:
    shown = section(PAGE.read_text(encoding="utf-8"), device)
    assert shown == calibrated(calibrations.read(CALIBRATED[device]))


def test_the_page_shows_what_is_known_of_the_course_pack() -> None:
    assert section(PAGE.read_text(encoding="utf-8"), PACK_SECTION) == of_course_pack()


@pytest.mark.skipif(not COURSE_PACK.exists(), reason="a GPU has not calibrated the course pack yet")
def test_each_threshold_of_the_course_pack_is_reached() -> None:
    found = calibrations.read(COURSE_PACK)
    assert [each for each in found.thresholds if each.judgement is Judgement.UNREACHABLE] == []


def test_both_devices_judge_alike() -> None:
    every = [calibrations.read(path).thresholds for path in CALIBRATED.values()]
    one, other = (
        {(e.lab, e.kernel, e.over, e.language, e.asked): e.judgement for e in each} for each in every
    )
    assert one == other


def test_a_row_counts_the_judgements_and_names_the_tightest() -> None:
    known = [
        Threshold(
            lab="a",
            kernel="k",
            language=Language.NUMBA,
            over="global",
            asked=asked,
            naive=1.0,
            best=5.0,
            best_rung="expert",
            judgement=judgement,
            proposed=None,
        )
        for asked, judgement in [
            (2.0, Judgement.SOUND),
            (0.8, Judgement.TRIVIAL),
            (4.0, Judgement.SOUND),
        ]
    ]
    assert table(known).splitlines()[2:] == ["| a | 3 | 2 | 1 | 0 | 1.25 |", "| all | 3 | 2 | 1 | 0 |  |"]


def test_equal_kernels_are_counted_beside_themselves() -> None:
    assert section(TIMING_PAGE.read_text(encoding="utf-8"), THEMSELVES) == themselves()
    assert "of 54 kernels, 51 intervals hold 1" in beside_themselves(calibrations.read(ONE_MEMORY))
