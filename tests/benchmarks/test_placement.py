"""What is said of places in a GPU's memory is what was recorded, and what is timed there exists."""

import json
from statistics import median

from benchmarks.contenders import rungs
from benchmarks.pages import section
from benchmarks.placement import PAGE, RESULTS, RUNGS, SECTION, table
from benchmarks.regrades import RESULTS as REGRADES
from tests.gpu.ladder import labs


def test_the_page_shows_what_is_recorded() -> None:
    record = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert section(PAGE.read_text(encoding="utf-8"), SECTION) == table(record)


def test_every_rung_that_is_timed_is_there_in_its_language() -> None:
    known = {lab.name: {(str(each.language), each.label) for each in rungs(lab)} for lab in labs()}
    assert all(rung in known[lab] for lab, rung in RUNGS.items())


def test_transposes_kernels_took_to_their_place_as_the_page_says() -> None:
    (same,) = (
        rows
        for run in json.loads(REGRADES.read_text(encoding="utf-8"))["runs"]
        if run["provenance"]["commit"].startswith("c75d930")
        for rows in [
            [
                row
                for each in run["rounds"]
                for row in each
                if (row["lab"], row["rung"]) == ("transpose", "global")
            ]
        ]
    )
    one, other = same[:7], same[7:]
    speedups = [median(row["speedup"][1] for row in rows) for rows in (one, other)]
    seconds = [median(row["seconds"] for row in rows) for rows in (one, other)]
    naive = speedups[0] * seconds[0] / (speedups[1] * seconds[1]) - 1
    assert [f"{each:.2f}" for each in speedups] == ["7.05", "6.82"]
    assert (f"{naive:.1%}", f"{seconds[0] / seconds[1] - 1:.1%}") == ("4.0%", "0.6%")
    text = PAGE.read_text(encoding="utf-8").replace("\n", " ")
    assert "naive kernel took 4.0 % longer" in text
    assert "7.05 there and 6.82 elsewhere" in text
