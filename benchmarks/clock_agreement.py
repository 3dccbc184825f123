"""The clock held against two others, Nsight Compute's and nvbench's, on every rung of every lab.

``python -m benchmarks.clock_agreement FOLDER [LAB...]``, on a machine with a GPU, ``ncu`` and ``cuda-bench``, writes
``clock-agreement.json`` into ``FOLDER``: for every rung on the first and the last of its lab's timing cases for a GPU
the seconds that each clock tells. ``python -m benchmarks.clock_agreement --page`` makes the table in the documentation
of what is recorded, which may come from several runs.
"""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.agreement_subjects import subjects
from benchmarks.nsight_durations import profiled
from grader.engines.cuda.device import describe, load_cupy
from tools import pages
from tools.gpu_provenance import provenance
from tools.paths import CHECKOUT
from tools.rung_kernels import labs

RESULTS = pages.RESULTS / "clock-agreement.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "clock.md"
SECTION = "agreement"

SHORT = 20e-6
"""Seconds below which more disagreement is allowed."""

HEADER = (
    "our time",
    "compared with",
    "rungs",
    "median difference",
    "90 % within",
    "largest",
    "within 3 %",
    "within 10 %",
)


def table(record: dict[str, Any]) -> str:
    """How far our times are from the others', below what was measured where."""
    times = [each for run in record["runs"] for each in run["times"]]
    caption = ";\n".join(
        f"{len(run['times'])} rungs and cases {pages.measured_on(run['provenance'])}"
        for run in record["runs"]
    )
    bands: list[tuple[str, Callable[[float], bool]]] = [
        ("under 20 µs", lambda seconds: seconds < SHORT),
        ("20 to 100 µs", lambda seconds: SHORT <= seconds < 5 * SHORT),
        ("over 100 µs", lambda seconds: seconds >= 5 * SHORT),
    ]
    comparisons = [
        ("Nsight Compute", partial(_differences, other="ncu", mine="ours")),
        ("nvbench", partial(_differences, other="nvbench", mine="ours")),
        ("nvbench, launched alone", partial(_differences, other="nvbench", mine="alone")),
        ("each other, those two", partial(_differences, other="ncu", mine="nvbench")),
    ]
    lines = []
    for band, belongs in bands:
        for name, differences in comparisons:
            found = sorted(
                abs(each) for each in differences([each for each in times if belongs(each["ours"])])
            )
            if found:
                lines.append((band, name, *_summary(found)))
    return f"{caption}.\n\n{pages.table(HEADER, lines, 2)}"


def _differences(times: Sequence[dict[str, Any]], other: str, mine: str) -> list[float]:
    return [each[mine] / each[other] - 1 for each in times if each[mine] and each[other]]


def _summary(found: Sequence[float]) -> tuple[str, ...]:
    return (
        str(len(found)),
        f"{median(found):.1%}",
        f"{found[round(0.9 * (len(found) - 1))]:.1%}",
        f"{found[-1]:.1%}",
        *(f"{sum(each <= most for each in found)}" for most in (0.03, 0.1)),
    )


def main() -> None:
    """Measure, or make the page."""
    if sys.argv[1] == "--page":
        pages.show(RESULTS, SECTION, table, PAGE)
        return
    from benchmarks.nvbench_clock import both_clocks  # noqa: PLC0415 - writing the page does not need nvbench

    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    device = describe(load_cupy(), 0)
    every = subjects([lab for lab in labs() if not sys.argv[2:] or lab.name in sys.argv[2:]], device.arch)
    durations = profiled(every, folder)
    by_subject = both_clocks(every, folder)
    times = [
        {
            "lab": subject.candidate.lab.name,
            "language": str(subject.candidate.language),
            "rung": subject.candidate.label,
            "case": subject.case.name,
            "sizes": subject.case.sizes,
            **by_subject[subject.key],
            "ncu": durations[subject.key],
        }
        for subject in every
    ]
    record = {"schema_version": 2, "runs": [{"provenance": provenance(device, CHECKOUT), "times": times}]}
    pages.keep(record, folder / RESULTS.name)
    sys.stdout.write(table(record) + "\n")


if __name__ == "__main__":
    main()
