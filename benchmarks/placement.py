"""How long the same kernel takes in one piece of a GPU's memory and in another.

``python -m benchmarks.placement FOLDER`` times some rungs on each lab's last timing case, in pieces of memory that are
allocated one after the other, in a random order with a cold L2, and writes ``placement.json`` into ``FOLDER``. It needs
a GPU. ``python -m benchmarks.placement --page`` makes the table in the documentation of what is recorded, which may
come from several runs.
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import pages
from benchmarks.agreement_subjects import Subject, subjects
from benchmarks.alone import Alone
from benchmarks.contenders import as_bytes, inputs_of
from benchmarks.gpu_clock import GpuClock
from tests.gpu.ladder import labs
from tests.gpu.provenance import provenance

RESULTS = pages.RESULTS / "placement.json"
PAGE = pages.ROOT / "docs" / "how-we-time.md"
SECTION = "placement"

PIECES, LAPS = 6, 12

RUNGS = {
    "vector-add": ("cuda-c", "global"),
    "spmv": ("cuda-c", "global"),
    "matvec": ("numba", "expert"),
    "transpose": ("cuda-c", "shared_padded"),
    "coalescing": ("numba", "expert, increment_records"),
    "reduction": ("numba", "expert, reduce_float32"),
}

HEADER = ("kernel", "device", "pieces", "median, µs", "the slowest takes")


def chosen(arch: str) -> Iterator[Subject]:
    """The rungs above, each on its lab's last case."""
    every = subjects([lab for lab in labs() if lab.name in RUNGS], arch)
    for lab, (language, label) in RUNGS.items():
        yield [
            each
            for each in every
            if (each.contender.lab.name, each.contender.language, each.contender.label)
            == (lab, language, label)
        ][-1]


def timed(clock: GpuClock, subject: Subject) -> list[dict[str, Any]]:
    """The median of a launch in each piece."""
    inputs = as_bytes(inputs_of(subject.contender.lab, subject.case))
    pieces = Alone(clock.cupy, clock.device, subject.contender.work(subject.module, subject.case, inputs))
    for _ in range(PIECES):
        pieces.add(inputs)
    copies = pieces.prepared.copies
    laps: list[list[float]] = [[] for _ in copies]
    for _ in range(LAPS):
        for number in random.sample(range(PIECES), PIECES):
            laps[number].append(clock.lap(copies[number].start))
    pieces.close()
    return [{"microseconds": median(each) * 1e6} for each in laps]


def table(record: dict[str, Any]) -> str:
    """A row for each kernel of each run, below what was measured where."""
    told = ";\n".join(f"- {pages.measured_on(run['provenance'])}" for run in record["runs"])
    lines = []
    for run in record["runs"]:
        for kernel in run["kernels"]:
            times = [piece["microseconds"] for piece in kernel["pieces"]]
            spread = max(times) / min(times) - 1
            device = run["provenance"]["device"].removeprefix("NVIDIA ").partition(" ")[0]
            lines.append(
                (kernel["kernel"], device, str(len(times)), f"{median(times):.1f}", f"{spread:.1%} more")
            )
    return f"{told}.\n\n{pages.table(HEADER, lines, 2)}"


def main() -> None:
    """Time and write, or make the page."""
    if sys.argv[1:] == ["--page"]:
        pages.show(RESULTS, SECTION, table, PAGE)
        return
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    clock = GpuClock()
    run: dict[str, Any] = {"provenance": provenance(clock.device, pages.ROOT), "kernels": []}
    for subject in chosen(clock.device.arch):
        run["kernels"].append({"kernel": subject.key, "pieces": timed(clock, subject)})
        pages.keep({"schema_version": 1, "runs": [run]}, folder / RESULTS.name)
        sys.stdout.write(f"{subject.key}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
