"""A ladder in a terminal, as a page and as pytest-benchmark's JSON."""

import html
import json
from dataclasses import replace
from typing import Any

import pytest
from pytest_benchmark import stats
from rich.console import Console

from grader.model.ladder import LadderReport
from grader.model.report import EngineInfo, SpeedupKind
from grader.model.run import EngineKind
from grader.report import benchmark_json
from grader.report.pages import ladder_page
from grader.report.plots.ladder import plot
from grader.report.terminal.ladder import ladder_table
from tests.report.examples import NASTY_NAMES
from tests.report.timing_examples import FAILED_RUNG, LADDER, MADE


def shown(ladder: LadderReport, width: int = 140) -> str:
    console = Console(width=width)
    with console.capture() as capture:
        console.print(ladder_table(ladder))
    return capture.get()


@pytest.mark.parametrize("times", [(2.0,), (2.0, 1.0), (3.0, 1.0, 2.0), (5.0, 1.0, 2.0, 4.0, 90.0, 3.0, 2.5)])
def test_our_statistics_are_those_of_pytest_benchmark(times: tuple[float, ...]) -> None:
    theirs: Any = stats.Stats()  # type: ignore[no-untyped-call]
    for time in times:
        theirs.update(time)
    ours = benchmark_json.stats(times)
    for field in ("min", "max", "mean", "stddev", "rounds", "median", "q1", "q3", "iqr", "ops", "total"):
        assert ours[field] == pytest.approx(getattr(theirs, field)), field
    assert ours["outliers"] == theirs.outliers
    assert (ours["ld15iqr"], ours["hd15iqr"]) == (theirs.ld15iqr, theirs.hd15iqr)


def test_the_table_ranks_rungs_and_marks_modelled_times() -> None:
    text = shown(LADDER)
    assert "modelled times" in text
    assert "case medium (rows = 100, cols = 90)" in text
    expert = next(line for line in text.splitlines() if line.startswith("expert"))
    assert all(figure in expert for figure in ("11.0 µs", "4.00×", "[3.92, 4.08]", "90 %"))


def test_a_narrow_terminal_breaks_names_and_no_figures() -> None:
    long = tuple(replace(row, kernel="row_sum_shared_padded_" * 2) for row in LADDER.rows)
    expert = next(
        line for line in shown(replace(LADDER, rows=long), 80).splitlines() if line.startswith("expert")
    )
    assert all(figure in expert for figure in ("cuda-c", "11.0 µs", "4.00×", "[3.92, 4.08]", "90 %"))


def test_a_rung_without_a_time_says_why_and_is_no_benchmark() -> None:
    ladder = replace(LADDER, rows=(*LADDER.rows, FAILED_RUNG))
    assert "shared (row_sum, numba) has no time: wrong: sum[0] is 1" in shown(ladder)
    document = json.loads(benchmark_json.dump([ladder], MADE))
    assert [each["name"] for each in document["benchmarks"]] == ["global[row_sum]", "expert[row_sum]"]
    assert document["machine_info"]["times"] == "modelled"


def test_the_page_says_the_plot_in_words_and_what_its_times_are() -> None:
    page = ladder_page.render([LADDER], MADE)
    assert "expert in cuda-c: 4.00× modelled, 90 % of the roofline" in page
    assert "by the emulator's cost model" in html.unescape(page)
    assert "1 March 2026, 12:00 UTC" in page


def test_a_measured_ladder_is_not_called_modelled() -> None:
    stands = replace(LADDER.rows[1].speedups[0], kind=SpeedupKind.MEASURED)
    rows = (replace(LADDER.rows[1], speedups=(stands,)),)
    gpu = EngineInfo(kind=EngineKind.CUDA, device="NVIDIA H200")
    page = ladder_page.render([replace(LADDER, kind=SpeedupKind.MEASURED, engine=gpu, rows=rows)], MADE)
    assert "modelled" not in page


def test_a_bar_of_speedup_one_ends_on_the_line_at_one() -> None:
    drawn = plot(LADDER, LADDER.rows, "row-sum")
    (slow, slow_share), (fast, fast_share) = (line.bars for line in drawn.lines)
    assert fast.length == pytest.approx(4 * slow.length)
    assert fast_share.length == pytest.approx(3 * slow_share.length)
    assert slow.x + slow.length == pytest.approx(drawn.columns[0].one)


def test_a_rung_without_a_time_shows_its_reason_and_no_bar() -> None:
    ladder = replace(LADDER, rows=(*LADDER.rows, FAILED_RUNG))
    assert plot(ladder, ladder.rows, "row-sum").lines[-1].bars == ()
    assert "not timed: wrong: sum[0] is 1" in ladder_page.render([ladder], MADE)


@pytest.mark.parametrize("name", NASTY_NAMES)
def test_no_name_becomes_markup(name: str) -> None:
    page = ladder_page.render([replace(LADDER, lab=name, baseline=name)], MADE)
    assert "<script" not in page
    assert "<img" not in page
