"""Per-line counters, as columns and bars."""

from dataclasses import replace

import pytest

from grader.model.location import SourceLocation
from grader.report.profile import (
    COLUMNS,
    Column,
    LineFigures,
    Traffic,
    figures,
    shown_columns,
    total,
    work_breakdown,
)
from tests.report.examples import WRONG_ROW_SUM, kernel, line, site
from tools.messages import english

PROFILED = WRONG_ROW_SUM.kernels[1]


def _at(number: int) -> LineFigures:
    return figures(PROFILED)[SourceLocation(file="row_sum.cu", line=number)]


def _column(heading: str) -> Column:
    (column,) = (column for column in COLUMNS if english(column.heading) == heading)
    return column


def test_a_line_s_figures_are_summed_over_its_entries() -> None:
    both = kernel(
        "k",
        lines=(line(5, 10), line(5, 30, active=0.5)),
        sites=(site("global", 5, 10, 40, 40), site("global", 5, 10, 320, 40), site("shared", 5, 1, 2, 1)),
    )
    (did,) = figures(both).values()
    assert (did.executed, did.share) == (40, 1.0)
    assert did.idle == pytest.approx(0.375)
    assert did.sectors == Traffic(20, 360, 80)
    assert did.passes == Traffic(1, 2, 1)


@pytest.mark.parametrize(
    ("heading", "number", "text"),
    [
        ("executed", 19, "131 k"),
        ("executed", 25, "16,000"),
        ("idle", 24, "74 %"),
        ("sectors", 20, "4 / 4"),
        ("conflicts", 25, "32×"),
        ("conflicts", 21, "1×"),
        ("atomics", 25, "32×"),
    ],
)
def test_a_column_shows_its_figure(heading: str, number: int, text: str) -> None:
    assert _column(heading).text(_at(number)) == text


def test_a_column_is_darker_the_more_is_wasted() -> None:
    shades = [
        _column("conflicts").shade(LineFigures(passes=Traffic(1, taken, 1))) for taken in (0, 1, 2, 4, 32)
    ]
    assert shades == [0, 0, 3, 4, 5]
    assert _column("executed").shade(_at(19)) == len(_column("executed").steps)


def test_idle_lanes_are_shaded_by_what_the_kernel_loses_to_them() -> None:
    idle = _column("idle")
    assert idle.text(LineFigures(executed=1, idle=0.97, share=0.001)) == "97 %"
    assert idle.shade(LineFigures(executed=1, idle=0.97, share=0.001)) == 0
    assert idle.shade(LineFigures(executed=1, idle=0.97, share=0.5)) == 5


def test_a_column_that_says_nothing_is_not_shown() -> None:
    assert [c.heading for c in shown_columns(figures(PROFILED).values())] == [c.heading for c in COLUMNS]
    plain = replace(PROFILED, sites=(), lines=PROFILED.lines[:3])
    assert [english(c.heading) for c in shown_columns(figures(plain).values())] == ["executed", "idle"]
    assert shown_columns(figures(kernel("unobserved")).values()) == ()


def test_a_line_without_traffic_has_an_empty_cell() -> None:
    assert [
        c.text(_at(18)) for c in COLUMNS if english(c.heading) in {"sectors", "conflicts", "atomics"}
    ] == [None] * 3


def test_the_totals_are_those_of_all_lines() -> None:
    whole = total(figures(PROFILED).values())
    assert whole.executed == sum(line.warp_instructions for line in PROFILED.lines)
    assert whole.sectors == Traffic(33_768, 132_072, 132_072)
    lanes = sum(line.thread_instructions for line in PROFILED.lines)
    assert whole.idle == pytest.approx(1 - lanes / (32 * whole.executed))
    assert total(()).idle is None


def test_work_bars_are_full_and_name_the_busiest_lines_first() -> None:
    instructions, sectors, passes = work_breakdown(figures(PROFILED))
    for kind in (instructions, sectors, passes):
        assert sum(share.length for share in kind.shares) == pytest.approx(100)
    named = [share.location.line for share in instructions.shares if share.location]
    assert named == [19, 20, 24, 25, 21]
    assert instructions.shares[-1].location is None
    assert (sectors.total, passes.total) == (132_072, 392_000)


def test_work_without_a_line_is_among_the_other_lines() -> None:
    nowhere = replace(line(1, 30), file=None, line=None)
    (instructions,) = work_breakdown(figures(kernel("k", lines=(line(5, 10), nowhere))))
    assert [(s.location and s.location.line, s.length) for s in instructions.shares] == [
        (5, 25.0),
        (None, 75.0),
    ]


def test_an_unprofiled_kernel_has_no_work() -> None:
    assert work_breakdown(figures(kernel("k"))) == ()
