"""How much the time of a kernel, and a speedup, depend on where the driver allocates the arrays.

``python -m benchmarks.placement FOLDER`` times some rungs beside their labs' baselines on the last timing case, both in
the same memory, alternating, with a cold L2, in buffer sets that are allocated one after the other. It writes
``placement.json`` into ``FOLDER``. It needs a GPU. ``python -m benchmarks.placement --page`` makes the table in the
documentation of what is recorded.
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Any

from benchmarks.agreement_subjects import TimedCase, subjects
from benchmarks.candidates import as_bytes, inputs_of
from benchmarks.gpu_clock import GpuClock
from grader.engines.cuda.arena import Arenas
from grader.engines.cuda.buffer_sets import BufferSet
from grader.engines.cuda.prepared import Prepared
from tools import pages
from tools.gpu_provenance import provenance
from tools.paths import CHECKOUT
from tools.rung_kernels import labs

RESULTS = pages.RESULTS / "placement.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "clock.md"
SECTION = "placement"

BUFFER_SETS, SAMPLES = 24, 8

RUNGS = {
    "vector-add": ("numba", "global", "whole_grid"),
    "spmv": ("cuda-c", "global", "warp"),
    "matvec": ("cuda-c", "global", "expert"),
    "transpose": ("cuda-c", "global", "shared_padded"),
    "row-sum": ("cuda-c", "global", "shared_padded"),
    "coalescing": ("cuda-c", "global, increment_records", "expert, increment_records"),
    "reduction": ("cuda-c", "global, reduce_float32", "expert, reduce_float32"),
    "copy-stride": ("cuda-c", "global, copy_stride", "expert, copy_stride"),
}
"""By lab: the language, a rung and the one that is timed beside it."""

HEADER = (
    "lab",
    "rung",
    "language",
    "speedup",
    "from set to set",
    "sets differ by",
    "samples in one set by",
)

Measurements = list[tuple[float, float]]
"""Microseconds of both kernels, in one buffer set."""


def chosen(arch: str) -> Iterator[tuple[str, TimedCase, TimedCase]]:
    """The rungs above, each on its lab's last case."""
    every = subjects([lab for lab in labs() if lab.name in RUNGS], arch)
    for lab, (language, *labels) in RUNGS.items():
        baseline, submission = (
            [
                each
                for each in every
                if (each.candidate.lab.name, each.candidate.language, each.candidate.label)
                == (lab, language, label)
            ][-1]
            for label in labels
        )
        yield lab, baseline, submission


def timed(clock: GpuClock, baseline: TimedCase, submission: TimedCase) -> list[Measurements]:
    """Measurements of both kernels in each buffer set."""
    inputs = as_bytes(inputs_of(baseline.candidate.lab, baseline.case))
    jobs = [each.candidate.job(each.module, each.case, inputs) for each in (baseline, submission)]
    arenas = Arenas(clock.cupy, [job.plan for job in jobs])
    sides = [BufferSet(arenas, *(Prepared(clock.cupy, clock.device, job) for job in jobs))]
    sides[0].set_copies(1)  # which loads the code, for all
    while len(sides) < BUFFER_SETS:
        sides.append(
            BufferSet(arenas, sides[0].baseline.without_copies(), sides[0].submission.without_copies())
        )
        sides[-1].set_copies(1)
    for each in sides:
        each.baseline.copies[0].memory.fill(inputs)
    copies = [[side.copies[0] for side in (each.baseline, each.submission)] for each in sides]
    samples: list[Measurements] = [[] for _ in copies]
    for _ in range(SAMPLES):
        for number in random.sample(range(BUFFER_SETS), BUFFER_SETS):
            one, other = (clock.sample(copy.start) * 1e6 for copy in copies[number])
            samples[number].append((one, other))
    arenas.close()
    return samples


def table(record: dict[str, Any]) -> str:
    """A row for each comparison, below what was measured where."""
    lines = []
    for each in record["comparisons"]:
        ratios = [[one / other for one, other in samples] for samples in each["microseconds"]]
        by_buffer_set = [fmean(samples) for samples in ratios]
        middle = median(by_buffer_set)
        within = median(stdev(samples) for samples in ratios)
        lines.append(
            (
                each["lab"],
                each["rung"],
                each["language"],
                f"{middle:.3f}",
                f"{min(by_buffer_set):.3f} to {max(by_buffer_set):.3f}",
                f"{stdev(by_buffer_set) / middle:.2%}",
                f"{within / middle:.2%}",
            )
        )
    measured = pages.measured_on(record["provenance"])
    caption = f"{BUFFER_SETS} buffer sets, {SAMPLES} samples of both kernels in each, {measured}"
    return f"{caption}; differences are standard deviations.\n\n{pages.table(HEADER, lines, 3)}"


def main() -> None:
    """Time and write, or make the page."""
    if sys.argv[1:] == ["--page"]:
        pages.show(RESULTS, SECTION, table, PAGE)
        return
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    clock = GpuClock()
    record: dict[str, Any] = {
        "schema_version": 2,
        "provenance": provenance(clock.device, CHECKOUT),
        "comparisons": [],
    }
    for lab, baseline, submission in chosen(clock.device.arch):
        record["comparisons"].append(
            {
                "lab": lab,
                "rung": submission.candidate.label,
                "language": submission.candidate.language,
                "microseconds": timed(clock, baseline, submission),
            }
        )
        pages.keep(record, folder / RESULTS.name)
        sys.stdout.write(f"{lab}\n")
        sys.stdout.flush()
    sys.stdout.write(table(record) + "\n")


if __name__ == "__main__":
    main()
