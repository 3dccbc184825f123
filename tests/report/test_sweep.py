"""A sweep in a terminal, as a page and as JSON."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from grader.model.report import SpeedupKind
from grader.model.submission import Language
from grader.model.sweep import SweepFigure, SweepReport, SweepRow
from grader.model.verdict import Verdict
from grader.report import json_files
from grader.report.pages import sweep_page
from grader.report.plots.sweep import description, plot
from grader.report.terminal.sweep import sweep_table
from tests.report.examples import EMULATOR, NASTY_NAMES


def row(value: int, seconds: float | None, registers: int = 32, spilled: int = 0) -> SweepRow:
    return SweepRow(
        value=value,
        verdict=Verdict.ACCEPTED,
        reason="right",
        seconds=seconds,
        speedup=None if seconds is None else 3.28e-3 / seconds,
        useful_bytes=1_000_000,
        registers=registers,
        spill_bytes=spilled,
        shared_bytes=2048,
        threads_per_block=256,
        occupancy=0.5,
        limiter="registers",
    )


FAILED = SweepRow(value=128, verdict=Verdict.CRASHED, reason="invalid launch: too many threads")

# The lectures' table of a thread's tile, on a P100.
TABLE = SweepReport(
    lab="matmul-int32",
    file="register_tile.cu",
    language=Language.CUDA_C,
    kernel="matmul",
    over="TILE",
    shows=SweepFigure.TIME,
    engine=EMULATOR,
    kind=SpeedupKind.MODELLED,
    baseline="global",
    case="medium",
    sizes={"m": 160, "n": 160},
    rows=(
        row(1, 3.28e-3),
        row(2, 2.27e-3),
        row(4, 2.11e-3, 64),
        row(8, 2.08e-3, 128),
        row(16, 7.37e-3, 255, 1024),
        row(32, 25.8e-3, 255, 4096),
        row(64, 83.6e-3, 255, 16384),
        FAILED,
    ),
)
PAGE = sweep_page.render([TABLE, replace(TABLE, over="BLOCK")])


def shown(report: SweepReport, width: int = 100) -> str:
    console = Console(width=width, color_system=None, file=None)
    with console.capture() as capture:
        console.print(sweep_table(report))
    return capture.get()


def test_the_knee_of_the_lectures_lies_at_8() -> None:
    assert TABLE.best is not None
    assert TABLE.best.value == 8
    assert "fastest at TILE = 8" in shown(TABLE)


def test_each_value_has_its_line_and_the_failed_one_its_reason() -> None:
    text = shown(TABLE)
    assert re.search(r"16 +7\.37 ms +0\.45× +255 +1 KiB +2 KiB +256 +50 % registers", text)
    assert "TILE 128 crashed: invalid launch: too many threads" in text
    assert "modelled times" in text


def test_the_table_fits_a_narrow_terminal() -> None:
    lines = shown(TABLE, 80).splitlines()
    assert any(re.search(r"64 +83\.6 ms +0\.04× +255 +16 KiB", line) for line in lines)


def test_the_most_bandwidth_is_best_where_bandwidth_is_shown() -> None:
    report = replace(TABLE, shows=SweepFigure.BANDWIDTH, rows=(row(1, 2e-6), row(2, 4e-6)))
    assert report.best == report.rows[0]
    assert "500 GB/s" in shown(report)
    assert description(report).endswith("at 1.")


def test_wrong_values_are_never_the_best() -> None:
    assert replace(TABLE, rows=(FAILED,)).best is None
    assert description(replace(TABLE, rows=(FAILED,))) == "TILE 128: crashed. No value has a time."


def test_the_curve_goes_through_the_right_values_only() -> None:
    drawn = plot(TABLE)
    assert len(drawn.line.split()) == 7
    assert [mark.failed for mark in drawn.marks] == [False] * 7 + [True]
    assert [mark.text for mark in drawn.marks if mark.best] == ["TILE 8: 2.08 ms"]


def test_slower_lies_higher_and_larger_further_right() -> None:
    marks = plot(TABLE).marks
    assert marks[6].y < marks[5].y < marks[4].y < marks[3].y
    assert [mark.x for mark in marks] == sorted(mark.x for mark in marks)


def test_registers_and_spills_align_below_the_curve() -> None:
    drawn = plot(TABLE)
    registers, spills = drawn.resources
    assert (registers.spills, spills.spills) == (False, True)
    for panel in drawn.resources:
        middles = [bar.x + bar.width / 2 for bar in panel.bars]
        assert middles == pytest.approx([mark.x for mark in drawn.marks[:7]])
        assert all(panel.top - 0.1 <= bar.y <= panel.bottom for bar in panel.bars)
        assert drawn.figure.bottom < panel.top < panel.bottom < drawn.height
    assert [bar.height > 0 for bar in spills.bars] == [False] * 4 + [True] * 3


def test_without_spills_there_is_no_panel_for_them() -> None:
    assert [panel.title for panel in plot(replace(TABLE, rows=TABLE.rows[:4])).resources] == [
        "registers per thread"
    ]


def test_many_values_lie_by_their_size() -> None:
    rows = tuple(row(value, 1e-3) for value in range(33))
    drawn = plot(replace(TABLE, rows=rows))
    gaps = {
        round(later.x - earlier.x, 3) for earlier, later in zip(drawn.marks, drawn.marks[1:], strict=False)
    }
    assert len(gaps) == 1
    assert [tick.text for tick in drawn.ticks] == ["0", "10", "20", "30"]


def test_a_size_changes_no_code_and_shows_no_registers() -> None:
    assert plot(replace(TABLE, over="m")).resources == ()
    assert "0.00" not in "".join(tick.text for tick in plot(TABLE).figure.ticks)


def test_a_long_axis_begins_with_its_first_value() -> None:
    drawn = plot(replace(TABLE, rows=tuple(row(value, 1e-3) for value in range(1, 33))))
    assert [tick.text for tick in drawn.ticks] == ["1", "10", "20", "30"]


def test_one_value_alone_and_none_right_can_be_drawn() -> None:
    assert plot(replace(TABLE, rows=(row(4, 1e-3),))).line
    assert not plot(replace(TABLE, rows=(FAILED,))).line


def test_the_page_has_a_description_a_table_and_no_scripts() -> None:
    labels = re.findall(r'role="img" aria-labelledby="([^"]*)" aria-describedby="([^"]*)"', PAGE)[0]
    assert all(f'id="{label}"' in PAGE for label in labels)
    assert "TILE 16: 7.37 ms with 255 registers and 1 KiB spilled" in PAGE
    assert PAGE.count('<th scope="row" class="number">') == 2 * len(TABLE.rows)
    assert "<script" not in PAGE
    assert not re.search(r"\sstyle=", PAGE)
    assert "modelled" in PAGE
    assert "Time of matmul against BLOCK" in PAGE
    ids = re.findall(r'\sid="([^"]*)"', PAGE)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("name", NASTY_NAMES)
def test_whatever_a_file_is_called_is_text(name: str) -> None:
    text = sweep_page.render([replace(TABLE, file=name)])
    assert "<script" not in text
    assert "\x1b" not in text
    assert "\x1b" not in shown(replace(TABLE, file=name))


def test_json_has_every_row(tmp_path: Path) -> None:
    json_files.write(tmp_path / "sweep.json", {"sweeps": [TABLE]})
    (document,) = json.loads((tmp_path / "sweep.json").read_bytes())["sweeps"]
    assert [known["value"] for known in document["rows"]] == [1, 2, 4, 8, 16, 32, 64, 128]
    assert document["rows"][-1]["seconds"] is None
    assert (document["over"], document["kind"], document["shows"]) == ("TILE", "modelled", "time")
