"""The best rungs beside what the device can do at best: cuBLAS, CuPy's reductions, a copy on the device.

``python -m benchmarks.library_baselines FOLDER`` runs on a machine with a GPU. It times them alternately, in a new
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

_TOLERANCE = 1e-3
"""By how much an answer may differ from the library's, as a part of the largest: both sum up in orders of their own."""

Arrays = dict[str, Any]
"""CuPy's arrays by the names of a plan's buffers."""

LibraryCall = Callable[[Any, Arrays], tuple[Callable[[], None], Arrays]]
"""Given CuPy and the arrays: what runs the library, and the arrays it answers in, by the names of the same outputs."""


def product(cupy: Any, arrays: Arrays) -> tuple[Callable[[], None], Arrays]:
    """The library's matrix product in the type of its inputs; CuPy leaves TF32 off."""
    out = cupy.empty(arrays["c"].shape, arrays["c"].dtype)
    return lambda: cupy.dot(arrays["a"], arrays["b"], out=out), {"c": out}


def total(cupy: Any, arrays: Arrays) -> tuple[Callable[[], None], Arrays]:
    """CuPy's sum of a vector, which is CUB's."""
    out = cupy.empty((), arrays["x"].dtype)
    return lambda: cupy.sum(arrays["x"], out=out), {"x_sums": out}


def copied(cupy: Any, arrays: Arrays) -> tuple[Callable[[], None], Arrays]:
    """A copy on the device of the matrix, which computes nothing."""
    matrix = arrays["a"]
    out = cupy.empty_like(matrix)
    runtime = cupy.cuda.runtime

    def copy() -> None:
        stream = cupy.cuda.get_current_stream().ptr
        kind = runtime.memcpyDeviceToDevice
        runtime.memcpyAsync(out.data.ptr, matrix.data.ptr, matrix.nbytes, kind, stream)

    return copy, {}


def of_rows(reduction: str, **outputs: int) -> LibraryCall:
    """CuPy's ``reduction`` of the matrix along an axis for each of ``outputs``."""

    def reduced(cupy: Any, arrays: Arrays) -> tuple[Callable[[], None], Arrays]:
        out = dict.fromkeys(outputs, arrays["a"])
        reduce = getattr(cupy, reduction)

        def run() -> None:
            for name, axis in outputs.items():
                out[name] = reduce(arrays["a"], axis=axis)  # CuPy 14.2 does not take an output for a minimum

        return run, out

    return reduced


@dataclass(frozen=True, slots=True)
class Race:
    """One lab's best rung at one size beside a library call.

    ``share``: what of the library's time a kernel as good would take, as a copy moves every byte twice.
    ``goal``: the part of the library's speed that is aimed at.
    """

    lab: str
    sizes: dict[str, int]
    against: str
    library: LibraryCall
    goal: float
    share: float = 1.0


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
    products = ((1024, 0.8), (4096, 0.9), (8192, 0.8))
    found = [Race("matmul", _cube(size), "cuBLAS, FP32", product, goal) for size, goal in products]
    found.append(Race("matmul-int32", _cube(4096), "CuPy, int32", product, 1.0))
    found.append(Race("reduction", {"n": 2**28}, "CuPy (CUB)", total, 0.95))
    for rows, columns in ((16384, 16384), (8192, 16384)):
        found.append(Race("transpose", {"rows": rows, "cols": columns}, "a copy", copied, 0.9))
    for name, library in ROWS.items():
        found.append(Race(name, {"rows": 16384, "cols": 16384}, "a copy", copied, 0.9, share=0.5))
        if library is not None:
            found.append(Race(name, {"rows": 1000, "cols": 1000}, "CuPy", library, 1.0))
    return found


def _cube(size: int) -> dict[str, int]:
    return dict.fromkeys("mnk", size)


def candidates_of(lab: Lab) -> list[Candidate]:
    """Its best rung, in either language; of several kernels, those for float32 where the name tells."""
    found = [each for each in rungs(lab) if each.label.split(",")[0] == RUNG]
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
    outcomes = built(
        [each for race in races() for each in candidates_of(by_name[race.lab])], track.device.arch
    )
    run: dict[str, Any] = {"provenance": provenance(track.device, CHECKOUT), "races": []}
    record = {"schema_version": 2, "runs": [run]}
    for race in races():
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
        for candidate in candidates_of(lab):
            alone = IsolatedRun(
                self.cupy, self.device, candidate.job(outcomes[candidate.key].module, case, {})
            )
            alone.add()
            prepared = alone.prepared
            arrays = self._arrays(prepared)
            theirs, answers = race.library(self.cupy, arrays)
            prepared.queue()
            theirs()
            self.cupy.cuda.runtime.deviceSynchronize()
            for name, answer in answers.items():
                self._compare(f"{candidate.key}, {name}", arrays[name], answer)
            ours, other = self._turns(prepared.queue, theirs)
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

    def _arrays(self, prepared: Prepared) -> dict[str, Any]:
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
                    array[...] = cupy.random.randint(-100, 100, buffer.shape).astype(buffer.dtype.numpy)
                else:
                    array[...] = cupy.random.standard_normal(buffer.shape, dtype=buffer.dtype.numpy)
        return found

    def _compare(self, name: str, mine: Any, answer: Any) -> None:
        cupy = self.cupy
        off = float(cupy.abs(mine.reshape(answer.shape).astype(np.float64) - answer).max())
        if not off <= _TOLERANCE * max(1.0, float(cupy.abs(answer).max())):
            msg = f"{name} is off by {off}"
            raise ValueError(msg)

    def _turns(self, *queues: Callable[[], None]) -> list[float]:
        """The median of the samples of each queue."""
        samples: list[list[float]] = [[] for _ in queues]
        for _ in range(ROUNDS):
            for number in random.sample(range(len(queues)), len(queues)):
                samples[number].append(self._clock.sample(queues[number]))
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
