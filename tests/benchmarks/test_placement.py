"""What is said of places in a GPU's memory is what was recorded, and what is timed there exists."""

import json

from benchmarks.candidates import rungs
from benchmarks.placement import PAGE, RESULTS, RUNGS, SECTION, table
from tools.pages import section
from tools.rung_kernels import labs


def test_the_page_shows_what_is_recorded() -> None:
    record = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert section(PAGE.read_text(encoding="utf-8"), SECTION) == table(record)


def test_every_rung_that_is_timed_is_there_in_its_language() -> None:
    known = {lab.name: {(str(each.language), each.label) for each in rungs(lab)} for lab in labs()}
    for lab, (language, *labels) in RUNGS.items():
        assert {(language, label) for label in labels} <= known[lab]
