"""How much a submission that takes every resource slows the one that is graded beside it.

``python -m benchmarks.noisy_neighbor`` grades one submission again and again: alone, beside a modest one, which
computes in one process all the while, and beside a greedy one of each kind. It does so in every sandbox that this
machine has, and writes ``results/noisy-neighbor.json`` and the table in ``benchmarks/tables/robustness.md``.
``--rounds N``: how often.
"""

import argparse
import contextlib
import statistics
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from operator import truediv
from typing import Any

from benchmarks.stopwatch_sandbox import StopwatchSandbox, seconds_to_grade
from grader.config.settings import MIB, LimitSettings, SandboxSettings
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules
from grader.model.build import Translation
from grader.model.devices import TESLA_T4
from grader.model.run import EngineKind
from grader.sandbox.choice import offers_of
from grader.sandbox.offer import Offer
from grader.sandbox.pool import PooledSandbox
from grader.sandbox.port import CancelledError, WorkerLostError
from grader.worker.messages import RequestKind, WorkerLimits
from tools import pages
from tools.hostile.sandboxes import HOSTILE_SANDBOXES
from tools.machine import machine_provenance
from tools.paths import CHECKOUT
from tools.worker_requests import HOSTILE_BUILD, request

RESULTS = pages.RESULTS / "noisy-neighbor.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "robustness.md"
SECTION = "noisy-neighbor"

LAB = "transpose"
ROUNDS = 9
MOST = 0.20
"""By how much greed may slow a neighbour, beyond what a modest submission in its place does."""

_FORKED = "import os, sys\nfor _ in range(30):\n    if os.fork() == 0:\n        break\n"
MODEST = "while True:\n    pass\n"
GREED = {
    "processors": f"{_FORKED}while True:\n    pass\n",
    "processes": "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass\n",
    "memory": f"{_FORKED}kept = []\nwhile True:\n    kept.append(bytearray(b'x' * 2**24))\n",
    "disk": (
        "while True:\n    try:\n        with open('/tmp/fill', 'wb') as file:\n"
        "            while True:\n                file.write(bytes(2**20))\n    except OSError:\n        pass\n"
    ),
    "output": "import os\nwhile True:\n    os.write(1, b'x' * 2**16)\n    os.write(2, b'x' * 2**16)\n",
}
"""Python that a hijacked worker runs, by what it takes."""

_UNDER_WAY_SECONDS = 1.0
_REPLY_BYTES = 64 * MIB


@contextlib.contextmanager
def busy(offer: Offer, source: str, limits: WorkerLimits) -> Iterator[None]:
    """Another submission's worker runs ``source`` all the while; whenever it is ended, the next one starts."""
    cancelled = threading.Event()
    with HOSTILE_SANDBOXES[offer.name](cancelled) as sandbox:

        def take() -> None:
            while not cancelled.is_set():
                with (
                    contextlib.suppress(WorkerLostError, CancelledError),
                    sandbox.worker(replace(HOSTILE_BUILD, limits=limits)) as worker,
                ):
                    worker.ask(
                        RequestKind.TRANSLATE,
                        request(source, "greedy.py"),
                        Translation,
                        seconds=LimitSettings().build_seconds,
                        reply_bytes=_REPLY_BYTES,
                    )

        thread = threading.Thread(target=take)
        thread.start()
        try:
            time.sleep(_UNDER_WAY_SECONDS)
            yield
        finally:
            cancelled.set()
            thread.join()


def measure(offer: Offer, rounds: int) -> list[dict[str, Any]]:
    """For each kind of greed: seconds in each company, round by round, and the median of their quotients."""
    settings = LimitSettings()
    limits = WorkerLimits(
        memory_bytes=settings.memory_mib * MIB,
        processes=settings.processes,
        open_files=settings.open_files,
        file_bytes=settings.file_mib * MIB,
        scratch_bytes=settings.scratch_mib * MIB,
        cpus=settings.cpus,
    )
    started = StopwatchSandbox(offer.open(None))
    with PooledSandbox(started, SandboxSettings().spare) as sandbox:
        environment = GradingEnvironment.open(
            sandbox, EngineKind.EMULATOR, TESLA_T4.name, settings, modelled_counts=True
        )
        modules = RungModules(environment)

        def graded() -> float:
            """Seconds, from when as many workers wait as always do."""
            started.settle()
            return seconds_to_grade(LAB, modules)

        graded()  # what is compiled once is compiled here
        figures = []
        for taken, source in GREED.items():
            alone: list[float] = []
            modest: list[float] = []
            beside: list[float] = []
            for _ in range(rounds):
                alone.append(graded())
                for company, seconds in ((MODEST, modest), (source, beside)):
                    with busy(offer, company, limits):
                        seconds.append(graded())
            figures.append(
                {
                    "sandbox": str(offer.name),
                    "taken": taken,
                    "alone": _rounded(alone),
                    "modest": _rounded(modest),
                    "beside": _rounded(beside),
                    "slower": round(statistics.median(map(truediv, beside, modest)) - 1, 4),
                }
            )
    return figures


def _rounded(seconds: list[float]) -> list[float]:
    return [round(each, 3) for each in seconds]


def table(results: dict[str, Any]) -> str:
    """The medians as a Markdown table under a line of provenance."""
    source = results["provenance"]
    measured = (
        f"Measured on {source['measured_at'][:10]} at commit `{source['commit'][:7]}` on a machine with "
        f"{source['cores']} cores (load {source['load']:.1f} before), {source['rounds']} rounds, Linux "
        f"{source['kernel']}. At most {MOST:.0%} is allowed."
    )
    rows = [
        (
            figure["sandbox"],
            figure["taken"],
            f"{statistics.median(figure['alone']):.2f} s",
            f"{statistics.median(figure['modest']):.2f} s",
            f"{statistics.median(figure['beside']):.2f} s",
            f"{figure['slower']:+.0%}",
        )
        for figure in results["figures"]
    ]
    header = ("sandbox", "taken", "alone", "beside a modest one", "beside the greedy one", "slower by greed")
    return f"{measured}\n\n{pages.table(header, rows, 2)}"


def main() -> None:
    """Measure, and write the record and the page."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=ROUNDS)
    given = options.parse_args()
    provenance = machine_provenance(rounds=given.rounds)
    usable = [
        offer for offer in offers_of(SandboxSettings()) if offer.isolates and offer.unavailable() is None
    ]
    figures = [figure for found in map(partial(measure, rounds=given.rounds), usable) for figure in found]
    results = {"schema_version": 1, "provenance": provenance, "figures": figures}
    pages.keep(results, RESULTS)
    pages.write({SECTION: table(results)}, PAGE)


if __name__ == "__main__":
    main()
