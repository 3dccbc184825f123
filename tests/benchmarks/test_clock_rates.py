"""What the page on timing promises about decisions holds in simulation, and its table is the recorded one."""

import json

import pytest

from benchmarks import pages
from benchmarks.clock_rates import FEW_PLACES, NOISES, PAGE, RESULTS, SECTION, SHARES, rates, table
from grader.model.confidence import ERROR

DECISIONS = 300
LUCK = 0.035
"""By how much a rate of so few decisions may be off: it is seeded, so it either always is or never."""

ORDER_EFFECT = "the second is slower"


@pytest.mark.parametrize("noise", [name for name in NOISES if name != FEW_PLACES])
def test_hardly_anybody_is_denied_what_they_earned(noise: str) -> None:
    assert 1 - rates(NOISES[noise], DECISIONS)["1"]["given"] <= ERROR + LUCK


@pytest.mark.parametrize("noise", [name for name in NOISES if name != ORDER_EFFECT])
def test_hardly_anybody_gets_what_they_missed_by_one_percent(noise: str) -> None:
    assert rates(NOISES[noise], DECISIONS)["0.99"]["given"] <= LUCK


def test_the_page_shows_what_was_recorded_and_the_record_keeps_the_promise() -> None:
    recorded = json.loads(RESULTS.read_text("utf-8"))
    assert table(recorded) == pages.section(PAGE.read_text("utf-8"), SECTION)
    assert recorded["rates"].keys() == NOISES.keys()
    for found in recorded["rates"].values():
        assert found.keys() == {f"{share:g}" for share in SHARES}
    denied = {name: 1 - found["1"]["given"] for name, found in recorded["rates"].items()}
    assert {name for name, rate in denied.items() if rate > ERROR} == {FEW_PLACES}
