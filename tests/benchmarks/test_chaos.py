"""Rounds that are run in pieces add up in one record, and the page shows it."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import chaos
from tools.chaos import ChaosResult
from tools.pages import section

ROUND = ChaosResult(
    jobs=203,
    recorded=203,
    doubled=0,
    shared=0,
    late_urgent=0,
    left=0,
    orphan_seconds=1.5,
    retried=0,
    kills={"server": 1, "worker": 2},
    attempts=210,
    by_far_host=3,
    far_network=True,
    seconds=9.0,
)


@pytest.fixture
def seeds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The seeds of the rounds that were run, which all show ``ROUND``; the files are in a folder of the test."""
    seeds: list[int] = []

    def shown(*arguments: Any) -> ChaosResult:
        seeds.append(arguments[3])
        return ROUND

    page = tmp_path / "queue.md"
    page.write_text(chaos.PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(chaos, "chaos", shown)
    monkeypatch.setattr(chaos, "RESULTS", tmp_path / "chaos.json")
    monkeypatch.setattr(chaos, "PAGE", page)
    return seeds


def test_pieces_add_up_and_kill_at_other_points(seeds: list[int]) -> None:
    assert chaos.main(["--rounds", "2"]) == 0
    assert chaos.main(["--rounds", "3", "--add"]) == 0
    assert seeds == [0, 1, 2, 3, 4]
    record = json.loads(chaos.RESULTS.read_text(encoding="utf-8"))
    assert len(record["rounds"]) == 5
    assert "1015" in section(chaos.PAGE.read_text(encoding="utf-8"), "chaos")


def test_without_the_option_the_record_begins_again(seeds: list[int]) -> None:
    chaos.main(["--rounds", "2"])
    chaos.main(["--rounds", "1"])
    assert seeds == [0, 1, 0]
    assert len(chaos.former_rounds(chaos.RESULTS)) == 1


def test_a_former_round_that_went_wrong_still_counts(seeds: list[int]) -> None:
    chaos.main(["--rounds", "1"])
    record = json.loads(chaos.RESULTS.read_text(encoding="utf-8"))
    record["rounds"][0]["recorded"] -= 1
    chaos.RESULTS.write_text(json.dumps(record), encoding="utf-8")
    assert chaos.main(["--rounds", "1", "--add"]) == 1
    assert seeds == [0, 1]


def test_the_page_shows_the_record() -> None:
    record = json.loads(chaos.RESULTS.read_text(encoding="utf-8"))
    shown = record | {"rounds": chaos.former_rounds(chaos.RESULTS)}
    assert section(chaos.PAGE.read_text(encoding="utf-8"), "chaos") == chaos.table(shown)
