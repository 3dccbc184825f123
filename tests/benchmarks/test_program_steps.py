"""The table of a lecture's steps: what a round's speedup and the spread of all rounds are."""

import json

import pytest

from benchmarks.program_steps import PAGE, RESULTS, SECTION, speedups, spread, table
from tools.pages import section

ROUNDS = [
    {"0": [10.0, 12.0, 8.0], "2": [5.0, 2.0, 4.0]},
    {"0": [10.0, 10.0, 10.0], "2": [4.0, 5.0, 5.0]},
]


def test_a_speedup_is_the_median_of_a_rounds_runs() -> None:
    assert speedups(ROUNDS, "2") == [2.0, 2.0]


def test_the_spread_is_the_farthest_distance_from_the_median() -> None:
    assert spread([1.0, 1.1, 0.8]) == pytest.approx(0.2)


def test_the_page_shows_the_record() -> None:
    record = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert section(PAGE.read_text(encoding="utf-8"), SECTION) == table(record)
