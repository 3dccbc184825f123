"""The emulator's counters are Nsight Compute's, and the page says what they are."""

import pytest

from benchmarks.patterns import PATTERNS, Pattern
from benchmarks.profiler_comparison import (
    METRICS,
    Compared,
    difference_list,
    pattern_table,
    patterns_compared,
    rung_table,
    rungs_compared,
)
from tools.pages import PAGE, section


@pytest.fixture(scope="module")
def patterns() -> dict[Pattern, list[Compared]]:
    return patterns_compared()


@pytest.fixture(scope="module")
def rungs() -> list[Compared]:
    return rungs_compared()


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.name)
def test_an_access_pattern_is_counted_as_the_profiler_counts_it(
    patterns: dict[Pattern, list[Compared]], pattern: Pattern
) -> None:
    assert [each for each in patterns[pattern] if not each.exact] == []


def test_the_memory_traffic_of_every_rung_is_the_profilers(rungs: list[Compared]) -> None:
    traffic = [each for each in rungs if each.metric in METRICS]
    assert len(traffic) == len(METRICS) * len({each.kernel for each in rungs})
    assert [each for each in traffic if not each.exact] == []


def test_instructions_are_of_the_profilers_order(rungs: list[Compared]) -> None:
    ratios = [each.emulated / each.profiled for each in rungs if each.metric == "warp_instructions"]
    assert min(ratios) > 0.5
    assert max(ratios) < 1.5


def test_the_page_says_what_was_found(rungs: list[Compared], patterns: dict[Pattern, list[Compared]]) -> None:
    page = PAGE.read_text()
    assert section(page, "patterns") == pattern_table(patterns)
    assert section(page, "rungs") == rung_table(rungs)
    assert section(page, "differences") == difference_list(rungs)


def test_a_difference_without_an_explanation_is_refused(rungs: list[Compared]) -> None:
    unexplained = Compared(kernel="k", metric="global_load_sectors", emulated=1, profiled=2)
    with pytest.raises(KeyError, match="global_load_sectors"):
        difference_list([*rungs, unexplained])
