"""The table of program labs' rungs on a GPU, and what it is made of."""

import pytest

from benchmarks.program_rungs import measured_pairs, program_labs, section, table
from grader.grading.validate import handout_name
from tools import pages

PAIRS = {"baseline": [4e-3, 6e-3, 4e-3], "submission": [2e-3, 2e-3, 1e-3]}


def document(kind: str) -> dict[str, object]:
    pairs = [
        {"baseline": base, "submission": own, "place": None}
        for base, own in zip(PAIRS["baseline"], PAIRS["submission"], strict=True)
    ]
    timings = [
        {"rung": "streams", "kind": "measured", "pairs": []},
        {"rung": "whole", "kind": kind, "pairs": pairs},
    ]
    return {"reports": [{"lab": "l", "verdict": "accepted", "kernels": [{"timings": timings}]}]}


def test_the_pairs_are_those_measured_over_the_baseline() -> None:
    assert measured_pairs(document("measured"), "whole") == PAIRS


def test_a_modelled_time_is_no_measurement() -> None:
    with pytest.raises(ValueError, match="nothing was measured over whole"):
        measured_pairs(document("modelled"), "whole")


def test_a_speedup_is_the_median_over_the_pairs() -> None:
    row = table({"whole": PAIRS}, "whole").splitlines()[-1]
    assert row == "| `whole` | 2000 | 3.00 | 3 |"


def test_every_program_lab_has_a_section_of_its_sizes() -> None:
    provenance = {"device": "a GPU", "driver": "1", "commit": "0123456789", "measured_at": "2026-01-01T00:00"}
    labs = {lab.name: {lab.manifest.baseline: PAIRS} for lab in program_labs()}
    assert {"reduction-pipeline", "saxpy-streams", "vector-add-program"} <= set(labs)
    for lab in program_labs():
        said = section({"provenance": provenance, "labs": labs}, lab)
        assert "n = " in said
        assert f"over `{lab.manifest.baseline}`" in said


def test_every_handout_of_a_program_lab_has_the_section() -> None:
    for lab in program_labs():
        for code in lab.manifest.handouts:
            text = (lab.folder / handout_name(code)).read_text(encoding="utf-8")
            with_table = pages.with_section(
                text, pages.HANDOUT_SECTION, table({"whole": PAIRS}, "whole", code)
            )
            assert "| `whole` | 2000 | 3.00 | 3 |" in with_table
