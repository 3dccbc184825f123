"""The five steps of a lecture's sum, timed end to end on a real GPU with the clock outside of the program.

``python -m benchmarks.program_steps FOLDER`` times them round by round and writes ``program-steps.json`` into
``FOLDER``; it needs a GPU. Options: ``--rounds N``, ``--runs N`` of each step in a round.
``python -m benchmarks.program_steps --page`` makes the table in the documentation from the recorded runs.
"""

import argparse
import random
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

from grader.engines.cuda.engine import CudaEngine
from grader.programs.timed.program import TimedProgram, timed_program
from grader.sandbox.gpu_lock import gpu_lock
from grader.sandbox.program_start import unconfined
from tools import pages
from tools.gpu_provenance import provenance
from tools.paths import CHECKOUT
from tools.timed_sums import STEPS, Sums, built, floor

RESULTS = pages.RESULTS / "program-steps.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "programs.md"
SECTION = "steps"

N = 1 << 25
ROUNDS, RUNS = 20, 7

TITLES = {
    "floor": "only the bytes (the floor)",
    "0": "pageable memory, neighbours first",
    "1": "pageable memory, far elements first",
    "2": "pinned memory",
    "3": "pinned memory, two streams",
    "4": "pinned memory, two streams, shared memory",
}
HEADER = ("step", "time, ms", "speedup", "smallest and largest of all rounds", "spread")

Round = Mapping[str, Sequence[float]]


def speedups(rounds: Sequence[Round], step: str) -> list[float]:
    """The speedup of ``step`` over step 0 in each round: the median over its runs."""
    return [median(base / own for base, own in zip(each["0"], each[step], strict=True)) for each in rounds]


def spread(values: Sequence[float]) -> float:
    """How far the farthest of ``values`` lies from their median, as a fraction of it."""
    middle = median(values)
    return max(abs(each / middle - 1) for each in values)


def table(document: Mapping[str, Any]) -> str:
    """The page's table of one recorded run."""
    rounds = document["rounds"]
    rows = []
    for step, title in TITLES.items():
        found = speedups(rounds, step)
        seconds = median(each for one in rounds for each in one[step])
        rows.append(
            (
                title,
                f"{seconds * 1e3:.2f}",
                f"{median(found):.2f}",
                f"{min(found):.2f} to {max(found):.2f}",
                f"{spread(found):.1%}",
            )
        )
    made = document["provenance"]
    caption = (
        f"{len(rounds)} rounds of {len(rounds[0]['0'])} runs of each step; sum of 2^25 floats; measured "
        f"{pages.measured_on(made)}."
    )
    return f"{caption}\n\n{pages.table(HEADER, rows, 1)}"


def measured(rounds: int, runs: int) -> list[Round]:
    """Seconds of each step by round, each run on inputs of its own, the steps in a random order."""
    sums = Sums(N)
    found: list[Round] = []
    with ExitStack() as stack:
        programs: dict[str, TimedProgram] = {}
        for step in TITLES:
            executable = floor() if step == "floor" else built("steps", STEPS[int(step)])
            programs[step] = stack.enter_context(timed_program(executable, sums.parameters, unconfined, 10.0))
        for number in range(rounds + 1):  # the first does not count
            seconds: dict[str, list[float]] = {step: [] for step in programs}
            for _ in range(runs if number else 1):
                for step in random.sample(list(programs), len(programs)):
                    inputs = sums.draw()
                    done = programs[step].repeat(inputs)
                    if step != "floor" and sums.wrong(inputs, done.outputs) is not None:
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
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--page", action="store_true")
    asked = parser.parse_args()
    if asked.page:
        pages.show(RESULTS, SECTION, table, PAGE)
        return 0
    with gpu_lock(threading.Event()):
        rounds = measured(asked.rounds, asked.runs)
        document = {
            "schema_version": 1,
            "provenance": provenance(CudaEngine().device, CHECKOUT),
            "rounds": rounds,
        }
    asked.folder.mkdir(parents=True, exist_ok=True)
    pages.keep(document, asked.folder / RESULTS.name)
    sys.stdout.write(table(document) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
