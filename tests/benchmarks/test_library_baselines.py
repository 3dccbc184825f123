"""What is raced against what: every race has its kernels, and the table says what was recorded."""

import json

import numpy as np
import pytest

from benchmarks.library_baselines import PAGE, RESULTS, SECTION, Race, candidates_of, races, table
from benchmarks.library_calls import exclusive_scan, products, sort
from grader.model.submission import Language
from tools.pages import section
from tools.rung_kernels import labs

LABS = {lab.name: lab for lab in labs()}

WHERE = {"device": "a GPU", "driver": "1.2", "commit": "0" * 40, "measured_at": "2024-03-01T12:00:00+00:00"}


@pytest.mark.parametrize(
    "race", races(), ids=lambda race: f"{race.lab}-{race.kernel}-{race.against}-{race.sizes}"
)
def test_each_language_races_at_sizes_that_the_lab_has(race: Race) -> None:
    lab = LABS[race.lab]
    there = lab.manifest.languages or [Language.CUDA_C, Language.NUMBA]
    assert [each.language for each in candidates_of(lab, race.kernel)] == list(there)
    assert all(set(case.sizes) == set(race.sizes) for case in lab.manifest.cases)


def test_scans_and_sorts_of_the_library_answer_what_the_labs_ask() -> None:
    x = np.array([3, 1, 2], np.int32)
    run, scanned = exclusive_scan(np, {"x": x})
    run()
    assert scanned["y"].tolist() == [0, 3, 4]
    run, ordered = sort(np, {"x": x})
    run()
    assert ordered["y"].tolist() == [1, 2, 3]
    assert x.tolist() == [3, 1, 2]


def test_products_of_the_library_have_the_shape_of_the_labs_answer() -> None:
    a, c = np.full((2, 3, 3), 2, np.float16), np.empty((2, 3, 3), np.float32)
    run, halves = products(np, {"a": a[0], "b": a[1], "c": c[0]})
    run()
    assert np.array_equal(halves["c"], np.full((3, 3), 12))
    run, several = products(np, {"a": a.astype(np.float32), "b": a.astype(np.float32), "c": c})
    run()
    assert np.array_equal(several["c"], np.full((2, 3, 3), 12))


def test_a_row_says_what_was_reached() -> None:
    record = {
        "lab": "transpose",
        "language": "numba",
        "rung": "expert",
        "sizes": {"rows": 20, "cols": 10},
        "against": "a copy",
        "goal": 0.9,
        "seconds": 2e-4,
        "yardstick": 1.5e-4,
        "reached": 0.75,
    }
    last = table({"runs": [{"provenance": WHERE, "races": [record]}]}).splitlines()[-1]
    assert last == "| transpose | 20×10 | Numba | 200.0 | a copy | 150.0 | 0.75 | 0.90 |"


def test_the_page_shows_what_is_recorded() -> None:
    record = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert section(PAGE.read_text(encoding="utf-8"), SECTION) == table(record)


def test_the_matrix_read_figure_of_the_page_is_recorded() -> None:
    runs = json.loads((RESULTS.parent / "row-mean-times.json").read_text(encoding="utf-8"))["runs"]
    assert {run["provenance"]["device"] for run in runs} == {"NVIDIA H200"}
    now, before = (
        {
            (each["language"], each["sizes"]["rows"]): each["seconds"] * 1e6
            for each in run["times"]
            if each["name"] == "rung: expert"
        }
        for run in runs
    )
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    for rows, sentence in (
        (1000, "at 1000×1000 it takes {:.1f} µs and Numba's {:.1f}"),
        (4096, "most of which the cache holds, {:.1f} and {:.1f}"),
        (8192, "at 8192×8192 {:.0f} and {:.0f}"),
    ):
        assert sentence.format(now["cuda-c", rows], now["numba", rows]) in text
    slow = before["cuda-c", 4096], before["cuda-c", 8192]
    assert "take {:.1f} µs at 4096×4096 and {:.0f} at 8192×8192".format(*slow) in text
