"""What a sandbox adds to the grading of one submission, with and without workers that were started ahead.

``python -m benchmarks.sandbox_overhead`` grades one submission again and again, in turn in every sandbox that this
machine has, writes ``results/sandbox-overhead.json`` and the table in
``benchmarks/tables/robustness.md``. ``--rounds N``:
how often; ``--image NAME``: the workers' image, where it is not the usual one.
"""

import argparse
import statistics
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from benchmarks.stopwatch_sandbox import StopwatchSandbox, seconds_to_grade
from grader.config.settings import LimitSettings, SandboxSettings
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules
from grader.model.devices import TESLA_T4
from grader.model.run import EngineKind
from grader.sandbox.choice import offers_of
from grader.sandbox.pool import PooledSandbox
from grader.sandbox.port import Sandbox
from grader.sandbox.process import ProcessSandbox
from tools import pages
from tools.machine import machine_provenance
from tools.paths import CHECKOUT

RESULTS = pages.RESULTS / "sandbox-overhead.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "robustness.md"
SECTION = "overhead"

LAB = "transpose"
ROUNDS = 15
COLD, WARM = "started when needed", "started ahead"
BASELINE = "process"
_TARGETS = {("docker", COLD): 2.0, ("docker", WARM): 0.3}
"""Seconds that may be added at the median."""


class Candidate:
    """One way to have workers, ready to grade."""

    def __init__(self, sandbox: str, start: str, make: Callable[[], Sandbox], spare: int) -> None:
        self.sandbox = sandbox
        self.start = start
        self._make = make
        self._spare = spare
        self._open()
        environment = GradingEnvironment.open(
            self._asked, EngineKind.EMULATOR, TESLA_T4.name, LimitSettings(), modelled_counts=True
        )
        self._modules = RungModules(environment)

    def close(self) -> None:
        """End its workers."""
        self._asked.close()

    def _open(self) -> None:
        self._background = StopwatchSandbox(self._make())
        pooled = self.sandbox != BASELINE
        self._asked = StopwatchSandbox(
            PooledSandbox(self._background, self._spare) if pooled else self._background
        )

    def _rest(self) -> None:
        """Leave nothing under way that would disturb the next; a cold start then has no worker."""
        if self.start == COLD and self.sandbox != BASELINE:
            self.close()
            self._open()
            self._modules.environment = replace(self._modules.environment, sandbox=self._asked)
        else:
            self._background.settle()

    def grade_once(self) -> tuple[float, float]:
        """Seconds that one submission took, and how many of them it waited for workers."""
        self._asked.waited = 0.0
        seconds = seconds_to_grade(LAB, self._modules)
        waited = self._asked.waited
        self._rest()
        return seconds, waited


@contextmanager
def candidates(settings: SandboxSettings) -> Iterator[list[Candidate]]:
    """Every sandbox that can be had here, the process one first."""
    makers: list[tuple[str, Callable[[], Sandbox]]] = [(BASELINE, ProcessSandbox)]
    makers += [
        (str(offer.name), partial(offer.open, None))
        for offer in offers_of(settings)
        if offer.isolates and offer.unavailable() is None
    ]
    with ExitStack() as undo:
        found = []
        for name, make in makers:
            starts = [COLD] if name == BASELINE else [COLD, WARM]
            found += [
                undo.enter_context(closing(Candidate(name, start, make, settings.spare))) for start in starts
            ]
        yield found


def measure(settings: SandboxSettings, rounds: int) -> list[dict[str, Any]]:
    """One record per way: the seconds of each round, the waits, and what was added to the process sandbox's."""
    with candidates(settings) as found:
        for candidate in found:
            candidate.grade_once()  # what is compiled once is compiled here
        taken = [[candidate.grade_once() for candidate in found] for _ in range(rounds)]
    return [
        {
            "sandbox": candidate.sandbox,
            "start": candidate.start,
            "seconds": [round(row[index][0], 4) for row in taken],
            "waited": [round(row[index][1], 4) for row in taken],
            "added_median": round(statistics.median(row[index][0] - row[0][0] for row in taken), 4),
            "target": _TARGETS.get((candidate.sandbox, candidate.start)),
        }
        for index, candidate in enumerate(found)
    ]


def table(results: dict[str, Any]) -> str:
    """The medians as a Markdown table under a line of provenance."""
    source = results["provenance"]
    measured = (
        f"Measured on {source['measured_at'][:10]} at commit `{source['commit'][:7]}` on a machine with "
        f"{source['cores']} cores ({source['cpu']}, load {source['load']:.1f} before), {source['rounds']} submissions "
        f"each of `{source['lab']}`, Linux {source['kernel']}."
    )
    rows = [
        (
            figure["sandbox"],
            figure["start"],
            f"{statistics.median(figure['seconds']):.2f} s",
            f"{statistics.median(figure['waited']):.2f} s",
            "" if figure["sandbox"] == BASELINE else f"{figure['added_median']:+.2f} s",
            "" if figure["target"] is None else f"at most {figure['target']:g} s",
        )
        for figure in results["figures"]
    ]
    header = ("sandbox", "workers", "one submission", "of it waiting for workers", "added", "target")
    return f"{measured}\n\n{pages.table(header, rows, 2)}"


def main() -> None:
    """Measure, and write the record and the page."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=ROUNDS)
    options.add_argument("--image", default=SandboxSettings().image)
    given = options.parse_args()
    settings = SandboxSettings(image=given.image)
    provenance = machine_provenance(lab=LAB, rounds=given.rounds)
    results = {"schema_version": 1, "provenance": provenance, "figures": measure(settings, given.rounds)}
    pages.keep(results, RESULTS)
    pages.write({SECTION: table(results)}, PAGE)


if __name__ == "__main__":
    main()
