"""Terminal output."""

import io
import re
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console, RenderableType

from grader.model.reason import as_written
from grader.model.report import SpeedupKind
from grader.model.verdict import Verdict
from grader.report.leaderboard import boards
from grader.report.redact import Audience
from grader.report.terminal.overview import class_table, leaderboards
from grader.report.terminal.submission import single_report
from tests.report.examples import (
    ANSI_NAME,
    CUDA,
    DOCUMENT,
    EMULATOR,
    GOOD_ROW_SUM,
    LONG_NAME,
    MARKUP_NAME,
    NASTY_NAMES,
    OVERRIDE_NAME,
    REPORTS,
    SOURCES,
    UNBUILT,
    WRONG_ROW_SUM,
    kernel,
    report,
    speedup,
)


def _shown(renderable: RenderableType, width: int = 80, *, colour: bool = False) -> str:
    stream = io.StringIO()
    console = Console(
        file=stream,
        width=width,
        force_terminal=colour,
        color_system="256" if colour else None,
        legacy_windows=False,
    )
    console.print(renderable)
    return stream.getvalue()


def _everything() -> list[RenderableType]:
    whole = [single_report(r, EMULATOR, SOURCES.get((r.student, r.lab), ())) for r in REPORTS]
    return [class_table(REPORTS), leaderboards(boards([DOCUMENT])), *whole]


@pytest.mark.parametrize("width", [40, 80, 120])
def test_nothing_is_wider_than_the_terminal(width: int) -> None:
    for renderable in _everything():
        for line in _shown(renderable, width).splitlines():
            assert cell_len(line) <= width


def test_nothing_acts_on_the_terminal_but_our_own_colours() -> None:
    for renderable in _everything():
        text = re.sub(r"\x1b\[[0-9;]*m", "", _shown(renderable, colour=True))
        assert [c for c in text if not c.isprintable() and c not in "\n\u200d\u200e"] == []
        assert "\x1b[31m" not in _shown(renderable, colour=True)


def test_every_student_has_verdict_score_and_speed() -> None:
    rows = _shown(class_table(REPORTS), 120).splitlines()
    (row,) = [row for row in rows if "student-02" in row]
    assert re.fullmatch(r" student-02 +row-sum +accepted +100 / 100 +7\.84× modelled ", row)
    for verdict in Verdict:
        if verdict is not Verdict.CRASHED:
            assert any(verdict in row and "/ 100" in row for row in rows), verdict


def test_not_gradable_shows_a_dash_instead_of_points() -> None:
    odd = report("ada", "matmul", kernel("matmul", Verdict.NOT_GRADABLE), score=0.0)
    table, whole = _shown(class_table([odd])), _shown(single_report(odd, EMULATOR))
    assert re.search(r"ada +matmul +not gradable +– / 100 +–", table)
    assert "not gradable   – of 100 points" in whole
    assert "– / 100  correctness: by its cases" in whole
    zero = _shown(single_report(replace(odd, verdict=Verdict.WRONG), EMULATOR))
    assert "0 of 100 points" in zero
    assert "0 / 100  correctness" in zero


def test_a_class_of_one_is_counted_in_the_singular() -> None:
    assert _shown(class_table([GOOD_ROW_SUM])).rstrip().endswith("1 submission: 1 accepted")


def test_an_empty_class_is_said_to_be_empty() -> None:
    assert "0 submissions" in _shown(class_table([]))
    assert "No accepted submission" in _shown(leaderboards([]))


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("name", NASTY_NAMES)
def test_a_name_is_never_truncated_to_nothing(name: str, width: int) -> None:
    graded = report(name, "matmul-transposed", kernel("k", fast=speedup(123.0)), score=87.55)
    shown = _shown(class_table([graded]), width)
    column = "".join(line[1:9].strip() for line in shown.splitlines())
    assert len(column) >= 8


def test_names_are_text_not_markup_not_escapes() -> None:
    shown = _shown(class_table(REPORTS), 160)
    assert MARKUP_NAME in shown
    assert r"\x1b[31mred\x1b[0m\x07 student" in shown
    assert r"ab\u202egnp.exe" in shown
    assert ANSI_NAME not in shown
    assert OVERRIDE_NAME not in shown
    assert LONG_NAME not in shown


def test_a_board_shows_shared_ranks_with_their_intervals() -> None:
    entrants = tuple(
        report(name, "matmul", kernel("m", fast=speedup(value, SpeedupKind.MEASURED, 0.1)))
        for name, value in (("a", 4.0), ("b", 3.9))
    )
    shown = _shown(leaderboards(boards([replace(DOCUMENT, engine=CUDA, reports=entrants)])))
    assert "measured speedups, cuda engine, NVIDIA H200" in shown
    assert re.search(r"=1 +a +4\.00× measured +\[3\.90, 4\.10\] +m", shown)
    assert re.search(r"=1 +b +3\.90× measured", shown)


def test_a_report_has_its_rubric_times_cases_and_resources() -> None:
    shown = _shown(single_report(GOOD_ROW_SUM, EMULATOR), 100)
    assert "100 of 100 points   7.84× modelled over global" in shown
    assert "15 / 15  correctness of row_sum_global: 5 of 5 cases right" in shown
    for time in ("413 µs", "77.7 µs", "52.6 µs"):
        assert re.search(rf"row_sum_\w+ +{time} +█+.* modelled", shown)
    assert "5 of 5 cases accepted: task-1000, edge-33, negative, hidden-1023x17, hidden-huge" in shown
    assert "30 registers, no spills, 4.125 KiB shared memory; occupancy 75 %, limited by registers" in shown
    assert "28 registers, no spills, 4 KiB shared memory; occupancy 100 %, limited by threads" in shown


def test_a_finding_stands_beside_its_source_line() -> None:
    shown = _shown(single_report(WRONG_ROW_SUM, EMULATOR, SOURCES["student-03", "row-sum"]))
    assert "error: out of bounds  row_sum.cu:10  17 times" in shown
    assert (
        "     9 │     for (int col = 0; col < cols; ++col)\n  ▸ 10 │         sum += a[row * cols + col];\n"
        in shown
    )
    assert shown.count("▸ 10 │") == 1


def test_without_a_source_the_location_is_still_named() -> None:
    shown = _shown(single_report(UNBUILT, EMULATOR))
    assert "error: compiler  matmul.cu:4" in shown
    assert re.search(r"note: host code ignored  matmul\.cu +\n", shown)
    assert "│" not in shown


def test_a_long_source_line_is_cut_at_the_terminal_s_edge() -> None:
    files = SOURCES["student-04", "matmul"]
    shown = _shown(single_report(UNBUILT, EMULATOR, files), 40)
    assert "  ▸ 4 │     int col = blockIdx.x * bloc…" in shown


def test_a_student_learns_nothing_of_hidden_cases() -> None:
    shown = _shown(single_report(WRONG_ROW_SUM, EMULATOR, audience=Audience.STUDENT), 200)
    assert "hidden case 2: wrong" in shown
    assert "hidden-huge" not in shown
    assert "17391" not in shown


def test_related_lines_are_shown_with_the_part_they_have() -> None:
    shown = _shown(single_report(WRONG_ROW_SUM, EMULATOR, SOURCES["student-03", "row-sum"]))
    assert "error: shared-memory race  row_sum.cu:25  992 times, in 192 threads" in shown
    assert "  ▸ 22 │     __syncthreads();\n" in shown
    assert "       │     ^ the other access of the race\n" in shown
    assert "       │             ^ one access of the race\n" in shown
    assert "  try: put __syncthreads() between lines 22 and 25" in shown


def test_the_worst_finding_of_a_kernel_comes_first() -> None:
    shown = _shown(single_report(WRONG_ROW_SUM, EMULATOR))
    assert shown.index("error: out of bounds") < shown.index("warning: uncoalesced access")


def test_each_line_of_the_source_shows_its_figures_if_asked() -> None:
    sources = SOURCES["student-03", "row-sum"]
    shown = _shown(single_report(WRONG_ROW_SUM, EMULATOR, sources, lines=True), 110)
    assert re.search(r"line +executed +idle +sectors +conflicts +atomics │ row_sum\.cu", shown)
    assert re.search(r"\n +20 +98,304 +3 % +4 / 4 +│ +sum \+= a\[row \* cols \+ col\];", shown)
    assert re.search(r"\n▸ +25 +16,000 +86 % +32× +32× │ +part\[threadIdx\.x\] \+=", shown)
    assert "32-byte sectors of global memory" in shown
    assert "executed" not in _shown(single_report(WRONG_ROW_SUM, EMULATOR, sources))


def test_without_figures_or_a_source_no_columns_are_promised() -> None:
    assert "executed" not in _shown(single_report(GOOD_ROW_SUM, EMULATOR, lines=True))
    without_line = _shown(single_report(WRONG_ROW_SUM, EMULATOR, lines=True))
    assert "executed" not in without_line


def test_printed_output_is_shown_by_line_and_escaped() -> None:
    shown = _shown(single_report(WRONG_ROW_SUM, EMULATOR))
    assert "Program output:" in shown
    assert re.search(r"\n  │ row 0: 12\.5 *\n", shown)
    assert r"  │ row 1: \x1b[31m</pre><b>7.25</b>" in shown


def test_of_much_that_was_printed_the_rest_is_counted() -> None:
    graded = report("a", "lab", kernel("k", printed="x\n" * 1000))
    assert "… and 980 more lines" in _shown(single_report(graded, EMULATOR))


def test_advice_cannot_act_on_the_terminal() -> None:
    hostile = replace(UNBUILT.diagnostics[0], advice=as_written("\x1b[2J[bold]"), message=as_written("m"))
    shown = _shown(single_report(replace(UNBUILT, diagnostics=(hostile,)), EMULATOR))
    assert r"try: \x1b[2J[bold]" in shown
