"""Turn what ``make bench`` measured into the repository's record of it.

``python -m benchmarks.emulator_speed_report RAW.json COMMIT`` reads pytest-benchmark's JSON and writes
``benchmarks/results/emulator-speed.json``, the chart, and the table between the marks in
``benchmarks/tables/emulator-speed.md``.
"""

import json
import os
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.plot import Series, log_chart
from tools import pages
from tools.paths import CHECKOUT

RESULTS = pages.RESULTS / "emulator-speed.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "emulator-speed.md"
CHART = CHECKOUT / "benchmarks" / "tables" / "emulator-speed.svg"
SECTION = "figures"
PACKAGES = ("numba", "llvmlite", "numba-cuda", "numpy", "nvidia-cuda-nvrtc")


def record(raw: dict[str, Any], commit: str) -> dict[str, Any]:
    """The measurements with their provenance."""
    machine = raw["machine_info"]
    return {
        "schema_version": 2,
        "provenance": {
            "measured_at": raw["datetime"],
            "commit": commit,
            "cpu": machine["cpu"].get("brand_raw", machine["machine"]),
            "cores": os.cpu_count(),
            "python": machine["python_version"],
            "packages": {name: version(name) for name in PACKAGES},
        },
        "figures": [
            bench["extra_info"]["figure"] | {"benchmark": bench["name"]} for bench in raw["benchmarks"]
        ],
        "series": [
            bench["extra_info"]["series"] for bench in raw["benchmarks"] if "series" in bench["extra_info"]
        ],
    }


def shown(value: float) -> str:
    """Three digits are all that such a figure is good for."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def table(results: dict[str, Any]) -> str:
    """The figures as a Markdown table under a line of provenance."""
    source = results["provenance"]
    packages = ", ".join(f"{name} {release}" for name, release in source["packages"].items())
    measured = (
        f"Measured on {source['measured_at'][:10]} at commit `{source['commit']}` on a machine with {source['cores']}"
        f" cores ({source['cpu']}), Python {source['python']}, {packages}."
    )
    rows = [
        (figure["label"], f"{shown(figure['value'])} {figure['unit']}", _target(figure))
        for figure in results["figures"]
    ]
    return f"{measured}\n\n{pages.table(('what', 'measured', 'target'), rows, 1)}"


def _target(figure: dict[str, Any]) -> str:
    if figure["target"] is None:
        return "none"
    return ("at least " if figure["at_least"] else "at most ") + shown(figure["target"])


def chart(results: dict[str, Any]) -> str:
    """Seconds against thread instructions for every series."""
    series = [
        Series(
            f"{entry['kind']}, {'all' if entry['diagnostics'] else 'no'} diagnostics",
            tuple((float(x), float(y)) for x, y in entry["points"]),
        )
        for entry in results["series"]
    ]
    ends = "; ".join(
        f"{line.name}: {line.points[0][1] * 1000:.3g} ms for {line.points[0][0]:,.0f} instructions"
        f" to {line.points[-1][1] * 1000:.3g} ms for {line.points[-1][0]:,.0f}"
        for line in series
    )
    description = f"Time against the instructions carried out, both on logarithmic axes. {ends}."
    return log_chart(series, "thread instructions", "seconds", description)


def main(raw_path: str, commit: str) -> None:
    """Write all three."""
    results = record(json.loads(Path(raw_path).read_text(encoding="utf-8")), commit)
    RESULTS.write_text(json.dumps(results, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    page = pages.with_section(PAGE.read_text(encoding="utf-8"), SECTION, table(results))
    PAGE.write_text(page, encoding="utf-8")
    CHART.write_text(chart(results), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
