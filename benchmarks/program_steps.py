"""The five steps of a lecture's sum, timed end to end on a real GPU with the clock outside of the program.

``python -m benchmarks.program_steps FOLDER`` times them round by round and writes ``program-steps.json`` into
``FOLDER``; it needs a GPU. Option: ``--rounds N``.
``python -m benchmarks.program_steps --page`` makes the table in the documentation from the recorded runs.
"""

import argparse
import random
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from grader.engines.cuda.engine import CudaEngine
from grader.grading.programs.timing import Arrays
from grader.programs.timed.program import timed_program
from grader.sandbox.gpu_lock import gpu_lock
from grader.sandbox.program_start import unconfined
from tools import pages
from tools.gpu_provenance import provenance
from tools.paths import CHECKOUT
from tools.timed_sums import STEPS, TOLERANCE, Sums, built

RESULTS = pages.RESULTS / "program-steps.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "programs.md"
SECTION = "steps"

ROUNDS = 20
RUNS = {1 << 22: 25, 1 << 25: 7}
"""Runs of each step in a round, by the number of floats."""

TITLES = {
    "0": "pageable memory, neighbours first",
    "1": "pageable memory, far elements first",
    "2": "pinned memory",
    "3": "pinned memory, two streams",
    "4": "pinned memory, two streams, shared memory",
}
HEADER = ("step", "time, ms", "speedup", "smallest and largest of all rounds", "spread")

Round = Mapping[str, Sequence[float]]


class _Pool:
    """Inputs that are cheap to draw: slices of more numbers than a run needs, with their sums."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._numbers = np.random.default_rng().integers(0, 1000, 2 * n, np.uint16).astype(np.float32)
        self._sums = np.concatenate([[0.0], np.cumsum(self._numbers, dtype=np.float64)])

    def draw(self) -> tuple[Arrays, float]:
        """Inputs and their sum."""
        first = random.randrange(self._n)
        return {"x": self._numbers[first : first + self._n]}, self._sums[first + self._n] - self._sums[first]


def speedups(rounds: Sequence[Round], step: str) -> list[float]:
    """The speedup of ``step`` over step 0 in each round: the median over its runs."""
    return [median(base / own for base, own in zip(each["0"], each[step], strict=True)) for each in rounds]


def spread(values: Sequence[float]) -> float:
    """How far the farthest of ``values`` lies from their median, as a fraction of it."""
    middle = median(values)
    return max(abs(each / middle - 1) for each in values)


def table(document: Mapping[str, Any]) -> str:
    """The page's tables of one recorded run."""
    tables = [f"Measured {pages.measured_on(document['provenance'])}."]
    for n, rounds in document["rounds"].items():
        caption = f"2^{int(n).bit_length() - 1} floats, {len(rounds)} rounds of {len(rounds[0]['0'])} runs of each step"
        tables += [f"{caption}:", pages.table(HEADER, map(partial(_row, rounds), TITLES), 1)]
    return "\n\n".join(tables)


def _row(rounds: Sequence[Round], step: str) -> tuple[str, ...]:
    found = speedups(rounds, step)
    seconds = median(each for one in rounds for each in one[step])
    return (
        TITLES[step],
        f"{seconds * 1e3:.2f}",
        f"{median(found):.2f}",
        f"{min(found):.2f} to {max(found):.2f}",
        f"{spread(found):.1%}",
    )


def measured(n: int, rounds: int) -> list[Round]:
    """Seconds of each step by round, each run on inputs of its own, the steps in a random order."""
    parameters, pool = Sums(n).parameters, _Pool(n)
    found: list[Round] = []
    with ExitStack() as stack:
        programs = {
            step: stack.enter_context(
                timed_program(built("steps", STEPS[int(step)]), parameters, unconfined, 10.0)
            )
            for step in TITLES
        }
        for number in range(rounds + 1):  # the first does not count
            seconds: dict[str, list[float]] = {step: [] for step in programs}
            for _ in range(RUNS[n] if number else 1):
                for step in random.sample(list(programs), len(programs)):
                    inputs, right = pool.draw()
                    done = programs[step].repeat(inputs)
                    if abs(float(done.outputs["sum"][0]) - right) > TOLERANCE * right:
                        sys.exit(f"step {step} is wrong")
                    seconds[step].append(done.seconds)
            if number:
                found.append(seconds)
    return found


def main() -> int:
    """Measure and write, or make the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--page", action="store_true")
    asked = parser.parse_args()
    if asked.page:
        pages.show(RESULTS, SECTION, table, PAGE)
        return 0
    with gpu_lock(threading.Event()):
        rounds: dict[str, list[Round]] = {}
        document = {
            "schema_version": 1,
            "provenance": provenance(CudaEngine().device, CHECKOUT),
            "rounds": rounds,
        }
        asked.folder.mkdir(parents=True, exist_ok=True)
        for n in RUNS:
            rounds[str(n)] = measured(n, asked.rounds)
            pages.keep(document, asked.folder / RESULTS.name)
    sys.stdout.write(table(document) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
