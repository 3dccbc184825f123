"""A sweep in a terminal, as a page and as JSON."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from grader.model.sweep import SweepFigure, SweepReport
from grader.report import sweep_json
from grader.report.pages import sweep_page
from grader.report.plots.sweep import description, plot
from grader.report.terminal.sweep import sweep_table
from tests.report.examples import NASTY_NAMES
from tests.report.timing_examples import FAILED_VALUE, SWEEP, sweep_row

PAGE = sweep_page.render([SWEEP, replace(SWEEP, over="BLOCK")])


def shown(report: SweepReport, width: int = 100) -> str:
    console = Console(width=width, color_system=None, file=None)
    with console.capture() as capture:
        console.print(sweep_table(report))
    return capture.get()


def test_the_knee_of_the_lectures_lies_at_8() -> None:
    assert SWEEP.best is not None
    assert SWEEP.best.value == 8
    assert "fastest at TILE = 8" in shown(SWEEP)


def test_each_value_has_its_line_and_the_failed_one_its_reason() -> None:
    text = shown(SWEEP)
    assert re.search(r"16 +7\.37 ms +0\.45× +255 +1 KiB +2 KiB +256 +50 % registers", text)
    assert "TILE 128 crashed: invalid launch: too many threads" in text
    assert "modelled times" in text


def test_the_table_fits_a_narrow_terminal() -> None:
    lines = shown(SWEEP, 80).splitlines()
    assert any(re.search(r"64 +83\.6 ms +0\.04× +255 +16 KiB", line) for line in lines)


def test_the_most_bandwidth_is_best_where_bandwidth_is_shown() -> None:
    report = replace(SWEEP, shows=SweepFigure.BANDWIDTH, rows=(sweep_row(1, 2e-6), sweep_row(2, 4e-6)))
    assert report.best == report.rows[0]
    assert "500 GB/s" in shown(report)
    assert description(report).endswith("highest bandwidth at TILE = 1")


def test_wrong_values_are_never_the_best() -> None:
    assert replace(SWEEP, rows=(FAILED_VALUE,)).best is None
    assert description(replace(SWEEP, rows=(FAILED_VALUE,))) == "TILE 128: crashed; no value has a time"


def test_the_curve_goes_through_the_right_values_only() -> None:
    drawn = plot(SWEEP)
    assert len(drawn.line.split()) == 7
    assert [mark.failed for mark in drawn.marks] == [False] * 7 + [True]
    assert [mark.text for mark in drawn.marks if mark.best] == ["TILE 8: 2.08 ms"]


def test_slower_lies_higher_and_larger_further_right() -> None:
    marks = plot(SWEEP).marks
    assert marks[6].y < marks[5].y < marks[4].y < marks[3].y
    assert [mark.x for mark in marks] == sorted(mark.x for mark in marks)


def test_registers_and_spills_align_below_the_curve() -> None:
    drawn = plot(SWEEP)
    registers, spills = drawn.resources
    assert (registers.spills, spills.spills) == (False, True)
    for panel in drawn.resources:
        middles = [bar.x + bar.width / 2 for bar in panel.bars]
        assert middles == pytest.approx([mark.x for mark in drawn.marks[:7]])
        assert all(panel.top - 0.1 <= bar.y <= panel.bottom for bar in panel.bars)
        assert drawn.figure.bottom < panel.top < panel.bottom < drawn.height
    assert [bar.height > 0 for bar in spills.bars] == [False] * 4 + [True] * 3


def test_without_spills_there_is_no_panel_for_them() -> None:
    assert [panel.title for panel in plot(replace(SWEEP, rows=SWEEP.rows[:4])).resources] == [
        "registers per thread"
    ]


def test_many_values_lie_by_their_size() -> None:
    rows = tuple(sweep_row(value, 1e-3) for value in range(33))
    drawn = plot(replace(SWEEP, rows=rows))
    gaps = {
        round(later.x - earlier.x, 3) for earlier, later in zip(drawn.marks, drawn.marks[1:], strict=False)
    }
    assert len(gaps) == 1
    assert [tick.text for tick in drawn.ticks] == ["0", "10", "20", "30"]


def test_a_size_changes_no_code_and_shows_no_registers() -> None:
    assert plot(replace(SWEEP, over="m")).resources == ()
    assert "0.00" not in "".join(tick.text for tick in plot(SWEEP).figure.ticks)


def test_a_long_axis_begins_with_its_first_value() -> None:
    drawn = plot(replace(SWEEP, rows=tuple(sweep_row(value, 1e-3) for value in range(1, 33))))
    assert [tick.text for tick in drawn.ticks] == ["1", "10", "20", "30"]


def test_one_value_alone_and_none_right_can_be_drawn() -> None:
    assert plot(replace(SWEEP, rows=(sweep_row(4, 1e-3),))).line
    assert not plot(replace(SWEEP, rows=(FAILED_VALUE,))).line


def test_the_page_has_a_description_a_table_and_no_scripts() -> None:
    labels = re.findall(r'role="img" aria-labelledby="([^"]*)" aria-describedby="([^"]*)"', PAGE)[0]
    assert all(f'id="{label}"' in PAGE for label in labels)
    assert "TILE 16: 7.37 ms with 255 registers, 1 KiB spilled" in PAGE
    assert PAGE.count('<th scope="row" class="number">') == 2 * len(SWEEP.rows)
    assert "<script" not in PAGE
    assert not re.search(r"\sstyle=", PAGE)
    assert "modelled" in PAGE
    assert "Time of matmul against BLOCK" in PAGE
    ids = re.findall(r'\sid="([^"]*)"', PAGE)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("name", NASTY_NAMES)
def test_whatever_a_file_is_called_is_text(name: str) -> None:
    text = sweep_page.render([replace(SWEEP, file=name)])
    assert "<script" not in text
    assert "\x1b" not in text
    assert "\x1b" not in shown(replace(SWEEP, file=name))


def test_json_has_every_row(tmp_path: Path) -> None:
    sweep_json.write(tmp_path / "sweep.json", [SWEEP])
    (document,) = json.loads((tmp_path / "sweep.json").read_bytes())["sweeps"]
    assert [known["value"] for known in document["rows"]] == [1, 2, 4, 8, 16, 32, 64, 128]
    failed = document["rows"][-1]
    assert failed["seconds"] is None
    assert (failed["code"], failed["reason"]) == ("as-written", "invalid launch: too many threads")
    assert (document["over"], document["kind"], document["shows"]) == ("TILE", "modelled", "time")
