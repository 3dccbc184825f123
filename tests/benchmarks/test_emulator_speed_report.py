"""The record of the emulator's speed is made of what was measured, and the chart can be read by all."""

import json
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from benchmarks.emulator_speed_report import PAGE, RESULTS, SECTION, chart, record, table
from benchmarks.plot import Series, log_chart
from tools.pages import section

SVG = "{http://www.w3.org/2000/svg}"


def raw() -> dict[str, Any]:
    """What pytest-benchmark leaves of two benchmarks, as far as it is read."""
    speed = {"label": "fast", "value": 1234.5, "unit": "M/s", "target": 600, "at_least": True}
    start = {"label": "start", "value": 0.8123, "unit": "s", "target": None, "at_least": None}
    series = {"kind": "naive", "diagnostics": True, "points": [[1000, 0.001], [100000, 0.1]]}
    return {
        "datetime": "2026-01-02T03:04:05",
        "machine_info": {"cpu": {"brand_raw": "A CPU"}, "machine": "x86_64", "python_version": "3.11.2"},
        "benchmarks": [
            {"name": "test_speed", "extra_info": {"figure": speed, "series": series}},
            {"name": "test_start", "extra_info": {"figure": start}},
        ],
    }


def test_the_record_keeps_figures_series_and_provenance() -> None:
    results = record(raw(), "abc1234")
    assert [figure["benchmark"] for figure in results["figures"]] == ["test_speed", "test_start"]
    assert results["provenance"]["commit"] == "abc1234"
    assert results["provenance"]["cpu"] == "A CPU"
    assert len(results["series"]) == 1


def test_the_table_sets_each_figure_beside_its_target() -> None:
    text = table(record(raw(), "abc1234"))
    assert "| fast | 1,234 M/s | at least 600 |" in text
    assert "| start | 0.812 s | none |" in text
    assert "commit `abc1234`" in text


def test_the_page_shows_the_record() -> None:
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert section(PAGE.read_text(encoding="utf-8"), SECTION) == table(results)


def test_the_chart_has_alternative_text_and_dark_colours() -> None:
    root = ET.fromstring(chart(record(raw(), "abc1234")))
    description = root.find(f"{SVG}desc")
    style = root.find(f"{SVG}style")
    assert description is not None
    assert style is not None
    assert "naive, all diagnostics: 1 ms for 1,000 instructions to 100 ms for 100,000" in str(
        description.text
    )
    assert "prefers-color-scheme: dark" in str(style.text)
    assert root.get("role") == "img"


def test_a_point_twice_as_many_decades_out_lies_twice_as_far() -> None:
    line = Series("a <line>", ((1.0, 1.0), (10.0, 10.0), (100.0, 100.0)))
    root = ET.fromstring(log_chart([line], "x", "y", "words"))
    places = [(float(dot.attrib["cx"]), float(dot.attrib["cy"])) for dot in root.iter(f"{SVG}circle")]
    (x0, y0), (x1, y1), (x2, y2) = places
    assert x2 - x0 == pytest.approx(2 * (x1 - x0), abs=0.2)
    assert y2 - y0 == pytest.approx(2 * (y1 - y0), abs=0.2)
    assert y2 < y0
    assert "a <line>" in [text.text for text in root.iter(f"{SVG}text")]
