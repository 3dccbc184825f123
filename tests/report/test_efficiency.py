"""The roofline and the latency arithmetic, as text and as a plot."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from grader.model.performance_bounds import Arithmetic
from grader.model.report import LatencyHiding, RungPoint, SpeedupKind
from grader.report.efficiency import latency_sentence, roofline_sentence
from grader.report.pages import class_page
from grader.report.plots.roofline import plots
from tests.report.examples import DOCUMENT, NASTY_NAMES, kernel, report, roofline
from tools.messages import english

MODELLED, MEASURED = SpeedupKind.MODELLED, SpeedupKind.MEASURED


def test_below_the_slope_the_share_of_the_memory_limit() -> None:
    sentence = english(roofline_sentence(roofline(4.0, 0.64e12), MODELLED))
    assert sentence.startswith("4.00 FLOP per byte moved (at best 20.0)")
    assert sentence.endswith("640 GFLOP/s modelled, 50 % of the memory limit of 1.28 TFLOP/s")


def test_right_of_the_ridge_compute_is_the_limit() -> None:
    sentence = english(roofline_sentence(roofline(100.0, 4.07e12), MEASURED))
    assert "4.07 TFLOP/s measured, 50 % of the compute limit of 8.14 TFLOP/s" in sentence


def test_above_the_slope_caches_explain_the_share() -> None:
    sentence = english(roofline_sentence(roofline(0.25, 160e9), MODELLED))
    assert re.search(r"200 % of the memory limit of 80\.0 GFLOP/s; .*caches", sentence)


def test_a_copy_kernel_has_a_share_of_the_bandwidth() -> None:
    sentence = english(roofline_sentence(roofline(0.0, None), MODELLED))
    assert re.search(r"160 GB/s modelled, 50 % .*320 GB/s", sentence)


def test_integers_do_operations_and_no_flop() -> None:
    sentence = english(roofline_sentence(roofline(4.0, 1e12, arithmetic=Arithmetic.INT32), MODELLED))
    assert "FLOP" not in sentence
    assert sentence.startswith("4.00 operations per byte")


def test_without_a_rate_only_the_limit_is_named() -> None:
    sentence = english(roofline_sentence(roofline(4.0, None), MODELLED))
    assert "memory limit of 1.28 TFLOP/s" in sentence
    assert "modelled" not in sentence


@pytest.mark.parametrize(
    ("there", "needed", "ending"),
    [(32, 23, "32 fit: enough"), (16, 23, "16 fit: too few"), (32, 65, "or several loads at once")],
)
def test_the_latency_sentence_ends_with_its_consequence(there: int, needed: int, ending: str) -> None:
    hiding = LatencyHiding(
        latency=500.0, clocks_per_instruction=0.5, instructions=46.8, needed=needed, there=there, most=32
    )
    sentence = english(latency_sentence(hiding))
    assert f"{needed} warps per SM (500 / (0.5 × 46.8)" in sentence
    assert sentence.endswith(ending)


def test_a_mark_lies_under_the_roof_where_its_share_is_below_one() -> None:
    (plot,) = plots(
        [kernel("slow", reached=roofline(4.0, 0.64e12)), kernel("fast", reached=roofline(0.25, 160e9))]
    )
    start, ridge, _ = [tuple(map(float, point.split(","))) for point in plot.roof.split()]
    marks_by_name = {mark.name: mark for mark in plot.marks}

    def slope_at(x: float) -> float:
        return start[1] + (x - start[0]) / (ridge[0] - start[0]) * (ridge[1] - start[1])

    # The y coordinate of the picture grows downward.
    assert marks_by_name["slow"].y > slope_at(marks_by_name["slow"].x)
    assert marks_by_name["fast"].y < slope_at(marks_by_name["fast"].x)
    assert plot.ridge_x == pytest.approx(ridge[0], abs=0.1)


def test_rungs_stand_beside_the_kernels_once_each() -> None:
    rungs = (RungPoint(rung="global", intensity=0.5, operations_per_second=1e11),)
    known = [kernel(name, reached=roofline(4.0, 1e12, rungs=rungs)) for name in ("one", "two")]
    (plot,) = plots(known)
    assert sorted((mark.name, mark.rung) for mark in plot.marks) == [
        ("global", True),
        ("one", False),
        ("two", False),
    ]


def test_no_two_names_on_a_plot_lie_on_each_other() -> None:
    known = [kernel(f"kernel_{number}", reached=roofline(4.0, 1e12)) for number in range(6)]
    (plot,) = plots(known)
    heights = sorted(mark.label_y for mark in plot.marks)
    assert all(below - above >= 15 for above, below in pairwise(heights))


def test_a_name_leaves_no_plot_where_many_marks_lie_low() -> None:
    low = [kernel(f"kernel_{number}", reached=roofline(0.1, 1e7)) for number in range(6)]
    (plot,) = plots([*low, kernel("high", reached=roofline(0.1, 1e12))])
    heights = sorted(mark.label_y for mark in plot.marks if mark.name != "high")
    assert plot.top < heights[0]
    assert heights[-1] <= plot.bottom
    assert all(below - above >= 15 for above, below in pairwise(heights))


def test_each_arithmetic_type_has_a_separate_plot() -> None:
    known = [
        kernel("a", reached=roofline(4.0, 1e12)),
        kernel("b", reached=roofline(4.0, 1e12, arithmetic=Arithmetic.INT32)),
        kernel("c", reached=roofline(4.0, None)),
        kernel("d", reached=roofline(0.0, None)),
        kernel("e"),
    ]
    assert [plot.title for plot in plots(known)] == ["Roofline of float32", "Roofline of int32"]


def test_the_plot_has_its_words_and_only_the_pages_colours() -> None:
    text = class_page.render(DOCUMENT)
    (picture,) = re.findall(r'<svg viewBox[^>]*role="img"[^>]*roofline.*?</svg>', text, re.DOTALL)
    labels = re.findall(r'aria-(?:labelled|described)by="([^"]*)"', picture)
    assert len(labels) == 2
    assert all(f'id="{label}"' in picture for label in labels)
    description = re.findall(r"<desc[^>]*>(.*?)</desc>", picture, re.DOTALL)[0]
    for words in ("320 GB/s", "8.14 TFLOP/s", "Kernel row_sum_shared_padded", "76.0 GFLOP/s", "Rung global"):
        assert words in description
    assert not re.search(r"#[0-9a-f]{3,6}|style=|fill=|stroke=", picture)


def test_the_colours_of_plots_are_those_of_the_theme() -> None:
    text = class_page.render(DOCUMENT)
    rules = re.findall(r"^\.plot .*$", text, re.MULTILINE)
    colours = [value for rule in rules for value in re.findall(r"(?:fill|stroke): ([^;]+);", rule)]
    assert len(colours) > 8
    assert {value for value in colours if not re.fullmatch(r"var\(--[\w-]+\)", value)} == {"none"}


@pytest.mark.parametrize("name", NASTY_NAMES)
def test_whatever_a_rung_or_kernel_is_called_is_text(name: str) -> None:
    rungs = (RungPoint(rung=name, intensity=0.5, operations_per_second=1e11),)
    graded = report("a", "matmul", kernel(name, reached=roofline(4.0, 1e12, rungs=rungs)))
    text = class_page.render(replace(DOCUMENT, reports=(graded,)))
    assert "<script" not in text
    assert "\x1b" not in text
