"""What is said of the agreement of clocks is what was recorded."""

import json
from typing import Any

import pytest

from benchmarks.agreement_subjects import cases
from benchmarks.clock_agreement import HEADER, PAGE, RESULTS, SECTION, table
from grader.labs.lab import Lab
from grader.labs.manifest import Use
from tools.pages import section
from tools.rung_kernels import gpu_cases, labs

WHERE = {
    "device": "a GPU",
    "driver": "1.2",
    "commit": "0" * 40,
    "measured_at": "2024-03-01T12:00:00+00:00",
}


def timed(ours: float, ncu: float, nvbench: float | None) -> dict[str, Any]:
    return {"ours": ours, "alone": 1.5 * ours, "ncu": ncu, "nvbench": nvbench}


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def rows(*times: dict[str, Any]) -> dict[tuple[str, str], dict[str, str]]:
    lines = table({"runs": [{"provenance": WHERE, "times": [each]} for each in times]}).splitlines()
    found = [dict(zip(HEADER, cells(line), strict=True)) for line in lines if line.startswith("| ")][2:]
    return {(each["our time"], each["compared with"]): each for each in found}


def test_differences_are_grouped_by_the_kernels_time() -> None:
    found = rows(timed(10e-6, 10.5e-6, 10e-6), timed(50e-6, 50e-6, None), timed(1e-3, 0.8e-3, 1e-3))
    short, middle, long = (
        found[band, "Nsight Compute"] for band in ("under 20 µs", "20 to 100 µs", "over 100 µs")
    )
    assert short["largest"] == "4.8%"
    assert (short["within 3 %"], short["within 10 %"]) == ("0", "1")
    assert (middle["largest"], middle["within 3 %"]) == ("0.0%", "1")
    assert (long["largest"], long["within 10 %"]) == ("25.0%", "0")
    assert ("20 to 100 µs", "nvbench") not in found
    assert found["under 20 µs", "nvbench, launched alone"]["largest"] == "50.0%"


@pytest.mark.parametrize("lab", labs(), ids=lambda lab: lab.name)
def test_a_short_and_a_long_case_of_every_lab_are_timed(lab: Lab) -> None:
    timed = gpu_cases(lab, Use.TIME)
    chosen = cases(lab)
    assert chosen in ([timed[0]], [timed[0], timed[-1]])
    assert chosen[-1] == timed[-1]


def test_the_page_shows_what_is_recorded() -> None:
    record = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert section(PAGE.read_text(encoding="utf-8"), SECTION) == table(record)
