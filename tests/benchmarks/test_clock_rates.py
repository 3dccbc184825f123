"""What the page on timing promises about decisions holds in simulation, and its table is the recorded one."""

import json

import pytest

from benchmarks.clock_rates import NOISES, PAGE, RESULTS, SECTION, SHARES, rates, table
from grader.model.confidence import ERROR
from tools import pages

DECISIONS = 300
LUCK = 0.035
"""By how much a rate of so few decisions may be off: it is seeded, so it either always is or never."""

SPANNED = {"the second is slower", "6 buffer sets in turn"}
"""Noises that an interval spans, in the student's favour."""


@pytest.mark.parametrize("noise", NOISES)
def test_hardly_anybody_is_denied_what_they_earned(noise: str) -> None:
    assert 1 - rates(NOISES[noise], DECISIONS)["1"]["given"] <= ERROR + LUCK


@pytest.mark.parametrize("noise", [name for name in NOISES if name not in SPANNED])
def test_hardly_anybody_gets_what_they_missed_by_one_percent(noise: str) -> None:
    assert rates(NOISES[noise], DECISIONS)["0.99"]["given"] <= LUCK


def test_the_page_shows_the_record_and_its_limits_hold() -> None:
    recorded = json.loads(RESULTS.read_text("utf-8"))
    assert table(recorded) == pages.section(PAGE.read_text("utf-8"), SECTION)
    assert recorded["rates"].keys() == NOISES.keys()
    for found in recorded["rates"].values():
        assert found.keys() == {f"{share:g}" for share in SHARES}
        assert 1 - found["1"]["given"] <= ERROR
