"""Tables, plots and pages of timings and of a class have no English left in Russian and Chinese."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console, RenderableType

from grader.messages import Speech
from grader.model.calibration import Judgement, Threshold
from grader.model.reason import reason
from grader.model.report import CaseReport, Part, Report, Visibility
from grader.model.review import FlaggedWork
from grader.model.submission import Language
from grader.model.sweep import SweepFigure
from grader.model.verdict import Verdict
from grader.report import junit
from grader.report.changes import changes
from grader.report.leaderboard import boards
from grader.report.pages import ladder_page, sweep_page
from grader.report.terminal.calibration import calibration_table
from grader.report.terminal.calibration import changes as calibration_changes
from grader.report.terminal.changes import changes_table
from grader.report.terminal.ladder import ladder_table
from grader.report.terminal.overview import class_table, leaderboards
from grader.report.terminal.review import flagged_list
from grader.report.terminal.sweep import sweep_table
from tests.report.examples import CUDA, DOCUMENT, kernel, report, speedup
from tests.report.foreign import english_words
from tests.report.html_page import Page
from tests.report.timing_examples import FAILED_RUNG, FAILED_VALUE, LADDER, MADE, SWEEP, rung_row, sweep_row

OTHERS = ("ru", "zh")

WRONG = reason("hidden-case-verdict", number=1, verdict="wrong")
TOO_LARGE = reason("fault", verdict="crashed", reason=WRONG)
SWEEP_ROWS = (*SWEEP.rows[:-1], replace(FAILED_VALUE, reason=TOO_LARGE))
RUNGS = (*LADDER.rows, replace(FAILED_RUNG, reason=TOO_LARGE))
SWEEPS = (
    replace(SWEEP, rows=SWEEP_ROWS),
    replace(SWEEP, shows=SweepFigure.BANDWIDTH, rows=(sweep_row(1, 2e-6, 1), *SWEEP_ROWS)),
    replace(SWEEP, rows=SWEEP_ROWS[-1:]),
)
LADDER_OF_ALL = replace(LADDER, rows=RUNGS)
NAMES = (
    *("matmul int register_tile TILE BLOCK global medium Tesla", "row_sum sum expert shared row rows cols"),
    *("rung one student ada bob", "the_kernel H200 NVIDIA"),
)


def shown(*parts: RenderableType, width: int = 160) -> str:
    console = Console(width=width, color_system=None)
    with console.capture() as capture:
        for part in parts:
            console.print(part)
    return capture.get()


def graded(student: str, score: float, verdict: Verdict = Verdict.ACCEPTED) -> Report:
    case = CaseReport(name="one", visibility=Visibility.PUBLIC, verdict=verdict, reason=WRONG)
    part = Part(
        name="x",
        title=reason("part-baseline"),
        score=score,
        max_score=100,
        reason=reason("cases-right", right=1, total=5),
    )
    ran = kernel("the_kernel", verdict, WRONG, cases=(case,), fast=speedup(2.5))
    made = report(student, "row-sum", ran, score=score, parts=(part,))
    return replace(made, verdict=verdict, reason=WRONG)


@pytest.mark.parametrize("language", OTHERS)
def test_sweeps_have_no_english_left(language: str) -> None:
    page = " ".join(Page(sweep_page.render(SWEEPS, language)).words)
    text = shown(*(sweep_table(report, Speech(language)) for report in SWEEPS))
    assert english_words(page, NAMES) == []
    assert english_words(text, NAMES) == []


@pytest.mark.parametrize("language", OTHERS)
def test_ladders_have_no_english_left(language: str) -> None:
    made = replace(MADE, commit="123", changed=True)
    page = " ".join(Page(ladder_page.render([LADDER_OF_ALL], made, language)).words)
    assert english_words(page, NAMES) == []
    assert english_words(shown(ladder_table(LADDER_OF_ALL, Speech(language))), NAMES) == []


@pytest.mark.parametrize("language", OTHERS)
def test_calibrations_have_no_english_left(language: str) -> None:
    speech = Speech(language)
    thresholds = [
        Threshold(
            lab="row-sum",
            kernel="row_sum",
            language=Language.CUDA_C,
            over=over,
            asked=1.5,
            naive=1.0,
            best=4.0,
            best_rung="expert",
            judgement=judgement,
            proposed=proposed,
        )
        for judgement in Judgement
        for over, proposed in (("global", 2.5), (None, None))
    ]
    faster = replace(
        LADDER, digest="", rows=(rung_row("global", (4e-5,), 1.0), rung_row("expert", (1e-5,), 9.0))
    )
    said = [
        *calibration_changes([LADDER], [faster, replace(LADDER, lab="one")]),
        *calibration_changes([], []),
    ]
    assert len(said) == 4
    assert english_words(" ".join(map(speech, said)), NAMES) == []
    tables = (calibration_table(LADDER, known, speech) for known in (thresholds, ()))
    assert english_words(shown(*tables), NAMES) == []


@pytest.mark.parametrize("language", OTHERS)
def test_differences_have_no_english_left(language: str) -> None:
    before = [graded("a", 10), graded("b", 50), graded("c", 50), graded("d", 1)]
    after = [graded("a", 60), graded("b", 5.5), graded("c", 50, Verdict.WRONG), graded("e", 1)]
    found = changes(before, after)
    assert len({change.direction for change in found}) == 5
    speech = Speech(language)
    assert english_words(shown(changes_table(found, speech), changes_table([], speech)), NAMES) == []


@pytest.mark.parametrize("language", OTHERS)
def test_class_and_boards_have_no_english_left(language: str) -> None:
    speech = Speech(language)
    reports = tuple(graded(f"student-{n}", n, verdict) for n, verdict in enumerate(Verdict))
    fast = tuple(graded(f"student-{n}", 100) for n in range(12))
    ranked = boards([replace(DOCUMENT, engine=CUDA, reports=fast)])
    flagged = [FlaggedWork(student="ada", lab="row-sum", reason=WRONG, reviews=())]
    tables = (class_table(reports, speech), leaderboards(ranked, speech=speech, most=3))
    text = shown(*tables, flagged_list(flagged, speech))
    assert english_words(text, NAMES) == []


@pytest.mark.parametrize("language", OTHERS)
def test_junit_says_reasons_in_the_language(language: str) -> None:
    root = ET.fromstring(junit.dump([graded("ada", 0, Verdict.WRONG)], Speech(language)))
    (failure,) = root.iter("failure")
    assert failure.attrib["type"] == "wrong"
    assert english_words(failure.attrib["message"], ()) == []


def test_russian_figures_have_commas_and_intervals_semicolons() -> None:
    text = shown(ladder_table(LADDER, Speech("ru")))
    assert "4,00× [3,92; 4,08]" in text
    assert "11,0 µs" in text
