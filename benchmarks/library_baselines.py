"""The best rungs beside what the device can do at best: cuBLAS, CuPy's reductions, a copy on the device.

``python -m benchmarks.library_baselines FOLDER [LAB…]`` runs on a machine with a GPU, for all labs or those named. It
times them alternately, in a new
random order each round and with a cold L2, compares every answer with the library's first, and writes
``library-baselines.json`` into ``FOLDER``. ``python -m benchmarks.library_baselines --page`` makes the tables of the
documentation from the recorded runs.
"""

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.candidates import Candidate, built, rungs, sized
from benchmarks.gpu_clock import GpuClock
from benchmarks.isolated_run import IsolatedRun
from benchmarks.library_calls import (
    Arrays,
    LibraryCall,
    copy_of,
    exclusive_scan,
    of_rows,
    product,
    products,
    sort,
    total,
)
from grader.engines.cuda.prepared import Prepared
from grader.labs.lab import Lab
from grader.model.plan import Role
from tools import pages
from tools.gpu_provenance import provenance
from tools.paths import CHECKOUT
from tools.rung_kernels import labs

RESULTS = pages.RESULTS / "library-baselines.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "measurements.md"
SECTION = "library-baselines"

ROUNDS = 21
RUNG = "expert"

_GOAL = 0.9
"""What the rungs of the course pack aim at."""

_TOLERANCE = 1e-3
"""By how much an answer may differ from the library's, as a part of the largest: both sum up in orders of their own."""


@dataclass(frozen=True, slots=True)
class Race:
    """One lab's best rung at one size beside a library call.

    ``share``: what of the library's time a kernel as good would take, as a copy moves every byte twice.
    ``goal``: the part of the library's speed that is aimed at. ``kernel``: the only one that runs, where a rung has
    several. ``span``: whole numbers are drawn from ``-span`` to ``span``. ``held``: no launch overhead is part of
    either time; a library that waits for its end cannot be timed so.
    """

    lab: str
    sizes: dict[str, int]
    against: str
    library: LibraryCall
    goal: float
    share: float = 1.0
    kernel: str = ""
    span: int = 100
    held: bool = True


ROWS = {
    "row-sum": of_rows("sum", out=1),
    "row-mean": of_rows("mean", row_means=1, column_means=0),
    "row-max": of_rows("max", out=1),
    "row-min": of_rows("min", out=1),
    "row-sum-squares": None,
}
"""Of every lab on rows, what CuPy has for it in one call."""


def races() -> list[Race]:
    """All of them."""
    cubes = ((1024, 0.8), (4096, 0.9), (8192, 0.8))
    found = [Race("matmul", _cube(size), "cuBLAS, FP32", product, goal) for size, goal in cubes]
    found.append(Race("matmul-int32", _cube(4096), "CuPy, int32", product, 1.0))
    found.append(Race("reduction", {"n": 2**28}, "CuPy (CUB)", total, 0.95))
    for rows, columns in ((16384, 16384), (8192, 16384)):
        found.append(Race("transpose", {"rows": rows, "cols": columns}, "a copy", copy_of("a"), 0.9))
    for name, library in ROWS.items():
        found.append(Race(name, {"rows": 16384, "cols": 16384}, "a copy", copy_of("a"), 0.9, share=0.5))
        if library is not None:
            found.append(Race(name, {"rows": 1000, "cols": 1000}, "CuPy", library, 1.0))
    return found + course_pack()


def course_pack() -> list[Race]:
    """Those of the course pack, as large as the cases that are timed. No library has one call for the other labs."""
    scan, halves, batch = {"n": 2**24}, dict.fromkeys("mnk", 2048), {"batch": 40000, "n": 32}
    rows = {"rows": 8192, "cols": 1024}

    def beside_copy(lab: str, name: str, sizes: dict[str, int], share: float = 1.0, kernel: str = "") -> Race:
        return Race(lab, sizes, "a copy", copy_of(name), _GOAL, share, kernel)

    return [
        Race("exclusive-scan", scan, "CuPy (CUB)", exclusive_scan, _GOAL),
        beside_copy("exclusive-scan", "x", scan),
        Race("radix-sort", {"n": 2**22}, "CuPy (Thrust)", sort, _GOAL, span=2**30, held=False),
        Race("bitonic-sort", {"n": 2**20}, "CuPy (Thrust)", sort, _GOAL, span=2**30, held=False),
        Race("batched-matmul", batch, "cuBLAS, batched", products, _GOAL),
        Race("matmul-tensor-cores", halves, "cuBLAS, tensor cores", products, _GOAL),
        # A histogram only reads, and counts are few; about 0.4 of normal numbers are above 0.25; axpy moves 3 vectors.
        beside_copy("histogram", "data", scan, share=0.5),
        beside_copy("stream-compaction", "x", scan, share=0.7),
        beside_copy("axpy-precisions", "u", {"n": 2**25}, share=1.5),
        beside_copy("softmax-layer-norm", "x", rows, kernel="softmax"),
        beside_copy("softmax-layer-norm", "x", rows, kernel="layer_norm"),
        beside_copy("stencil-3d", "old", dict.fromkeys(("depth", "rows", "cols"), 256)),
        beside_copy("convolution-2d", "image", {"rows": 4096, "cols": 4096, "m": 5}),
        beside_copy("grey-and-blur", "picture", {"rows": 2160, "cols": 3840, "radius": 3}),
    ]


def _cube(size: int) -> dict[str, int]:
    return dict.fromkeys("mnk", size)


def candidates_of(lab: Lab, kernel: str = "") -> list[Candidate]:
    """Its best rung, in either language; of several kernels ``kernel``, or those with float32 in their names."""
    found = [each for each in rungs(lab) if each.label.split(",")[0] == RUNG]
    found = [each for each in found if kernel in {"", each.kernel}]
    return [each for each in found if "int32" not in each.label or lab.name == "matmul-int32"]


def main() -> None:
    """Measure, or make the page."""
    if sys.argv[1] == "--page":
        pages.show(RESULTS, SECTION, table, PAGE)
        return
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    track = Track()
    by_name = {lab.name: lab for lab in labs()}
    wanted = [race for race in races() if race.lab in (sys.argv[2:] or by_name)]
    outcomes = built(
        [each for race in wanted for each in candidates_of(by_name[race.lab], race.kernel)], track.device.arch
    )
    run: dict[str, Any] = {"provenance": provenance(track.device, CHECKOUT), "races": []}
    record = {"schema_version": 2, "runs": [run]}
    for race in wanted:
        run["races"] += track.run(race, by_name[race.lab], outcomes)
        pages.keep(record, folder / RESULTS.name)
    sys.stdout.write(table(record) + "\n")


class Track:
    """A GPU with a clock, and what runs on it."""

    def __init__(self) -> None:
        self._clock = GpuClock()
        self.cupy, self.device = self._clock.cupy, self._clock.device

    def run(self, race: Race, lab: Lab, outcomes: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """One record for each language. Raises: ``ValueError`` for an answer that is not the library's."""
        case = sized(lab, race.sizes)
        for candidate in candidates_of(lab, race.kernel):
            alone = IsolatedRun(
                self.cupy, self.device, candidate.job(outcomes[candidate.key].module, case, {})
            )
            alone.add()
            prepared = alone.prepared
            arrays = self._arrays(prepared, race.span)
            theirs, answers = race.library(self.cupy, arrays)
            mine = self._with_zeroed(prepared.queue, candidate, arrays)
            mine()
            theirs()
            self.cupy.cuda.runtime.deviceSynchronize()
            for name, answer in answers.items():
                self._compare(f"{candidate.key}, {name}", arrays[name], answer)
            ours, other = self._turns(mine, theirs, held=race.held)
            alone.close()
            yield {
                "lab": lab.name,
                "language": str(candidate.language),
                "rung": candidate.label,
                "sizes": race.sizes,
                "against": race.against,
                "goal": race.goal,
                "seconds": ours,
                "yardstick": other,
                "reached": race.share * other / ours,
            }

    def _with_zeroed(
        self, queue: Callable[[], None], candidate: Candidate, arrays: Arrays
    ) -> Callable[[], None]:
        """``queue``, which first zeroes what the lab says is zeroed."""
        params = candidate.lab.manifest.spec(candidate.kernel).params
        zeroed = [arrays[param.name] for param in params if param.zeroed]
        if not zeroed:
            return queue

        def run() -> None:
            for array in zeroed:
                array.data.memset_async(0, array.nbytes)
            queue()

        return run

    def _arrays(self, prepared: Prepared, span: int) -> Arrays:
        """The buffers as CuPy's arrays; inputs hold numbers of no particular pattern."""
        cupy = self.cupy
        (copy,) = prepared.copies
        found = {}
        for buffer in prepared.job.plan.buffers:
            address = copy.memory.address(buffer.name)
            memory = cupy.cuda.UnownedMemory(address, buffer.nbytes, copy)
            array = cupy.ndarray(buffer.shape, buffer.dtype.numpy, cupy.cuda.MemoryPointer(memory, 0))
            found[buffer.name] = array
            if buffer.role in {Role.INPUT, Role.INOUT}:
                if np.issubdtype(buffer.dtype.numpy, np.integer):
                    array[...] = cupy.random.randint(-span, span, buffer.shape).astype(buffer.dtype.numpy)
                else:
                    array[...] = cupy.random.standard_normal(buffer.shape, dtype=np.float32)
        return found

    def _compare(self, name: str, mine: Any, answer: Any) -> None:
        cupy = self.cupy
        off = float(cupy.abs(mine.reshape(answer.shape).astype(np.float64) - answer).max())
        if not off <= _TOLERANCE * max(1.0, float(cupy.abs(answer).max())):
            msg = f"{name} is off by {off}"
            raise ValueError(msg)

    def _turns(self, *queues: Callable[[], None], held: bool) -> list[float]:
        """The median of the samples of each queue."""
        samples: list[list[float]] = [[] for _ in queues]
        for _ in range(ROUNDS):
            for number in random.sample(range(len(queues)), len(queues)):
                samples[number].append(self._clock.sample(queues[number], held=held))
        return [median(each) for each in samples]


HEADER = ("lab", "size", "language", "time, µs", "beside", "its time, µs", "reached", "aim")


def table(record: dict[str, Any]) -> str:
    """For each run a row for each race, below what was measured where."""
    return "\n\n".join(map(_of_run, record["runs"]))


def _of_run(run: dict[str, Any]) -> str:
    caption = f"Measured {pages.measured_on(run['provenance'])}."
    lines = [
        (
            each["lab"],
            "×".join(str(size) for size in each["sizes"].values()),
            {"cuda-c": "CUDA C", "numba": "Numba"}[each["language"]],
            f"{each['seconds'] * 1e6:.1f}",
            each["against"],
            f"{each['yardstick'] * 1e6:.1f}",
            f"{each['reached']:.2f}",
            f"{each['goal']:.2f}",
        )
        for each in run["races"]
    ]
    return f"{caption}\n\n{pages.table(HEADER, lines, 3)}"


if __name__ == "__main__":
    main()
