"""The page compares the emulator's processor time with that at a former commit as the record has it."""

import json
from statistics import median
from typing import Any

import pytest

from benchmarks.speed_between_commits import MOST, PAGE, RECORD, SECTION, change_table, ratios
from tools.pages import section


def record() -> dict[str, Any]:
    """Three rounds of one workload."""
    return {
        "former": "0123456789",
        "present": "abcdefg",
        "cores": 2,
        "python": "3.11.7",
        "seconds": {"naive": [[0.1, 0.2], [0.1, 0.11], [0.2, 0.21]]},
    }


def test_a_ratio_is_of_the_two_runs_of_one_round() -> None:
    assert ratios(record()) == {"naive": pytest.approx([1.05, 1.1, 2.0])}


def test_the_table_has_medians_and_the_range() -> None:
    text = change_table(record())
    assert "| naive | 100 ms | 200 ms | **1.10** | 1.05 | 2.00 |" in text
    assert "`abcdefg` over `0123456`, 3 rounds" in text


def test_the_page_shows_the_change() -> None:
    measured = json.loads(RECORD.read_text(encoding="utf-8"))
    assert section(PAGE.read_text(encoding="utf-8"), SECTION) == change_table(measured)


def test_no_product_of_the_record_takes_a_tenth_longer() -> None:
    found = ratios(json.loads(RECORD.read_text(encoding="utf-8")))
    medians = {name: median(each) for name, each in found.items()}
    assert len(medians) == 6
    assert {name: ratio for name, ratio in medians.items() if ratio > MOST} == {}
