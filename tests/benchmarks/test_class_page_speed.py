"""The record of the class page in a browser."""

import json

import pytest

from benchmarks.class_page_speed import (
    CLASSES,
    MOST_BYTES,
    MOST_SECONDS,
    PAGE,
    RESULTS,
    SECTION,
    a_class,
    table,
)
from grader.model.verdict import Verdict
from tools.pages import section


def test_the_page_shows_the_record_and_its_limits_hold() -> None:
    record = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert section(PAGE.read_text(encoding="utf-8"), SECTION) == table(record)
    assert [(each["students"], each["labs"]) for each in record["classes"]] == list(CLASSES)
    for each in record["classes"]:
        assert each["bytes"] <= MOST_BYTES
        for figures in each["browser"].values():
            assert figures["opened"] <= MOST_SECONDS
            assert figures["overflow"] <= 0


def test_a_quarter_of_the_class_is_not_accepted() -> None:
    verdicts = [report.verdict for report in a_class(100, 4).reports]
    assert verdicts.count(Verdict.ACCEPTED) / len(verdicts) == pytest.approx(0.75, abs=0.01)
    assert set(verdicts) > {Verdict.WRONG, Verdict.SUSPICIOUS}
