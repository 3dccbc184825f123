"""Killing at random while many submissions are graded: what is lost, doubled, wrong or left behind afterwards.

``python -m benchmarks.fault_runs`` grades the same submissions in Docker, on an engine of its own, and in bubblewrap,
kills the grader, a worker or the engine at drawn moments, goes on until all are graded, and writes
``results/fault-runs.json`` and the table in ``benchmarks/tables/robustness.md``. It needs root, ``dockerd`` and the
worker image.
``--submissions N``, ``--kills N`` per sandbox, ``--seed N``, ``--only SANDBOX``; ``--minutes N``: then no more kills.
"""

import argparse
import contextlib
import json
import math
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from grader.sandbox.docker.image import DEFAULT_IMAGE, tagged
from tools import pages
from tools.faults.course import Course
from tools.faults.docker_engine import OwnEngine
from tools.faults.kills import Kill, hit, kill_grader, kill_worker
from tools.machine import machine_provenance
from tools.paths import CHECKOUT

RESULTS = pages.RESULTS / "fault-runs.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "robustness.md"
SECTION = "fault-runs"

SUBMISSIONS, KILLS, SEED = 200, 50, 1
SANDBOXES = ("docker", "bubblewrap")

_LONGEST_DELAY = 2.0
"""Seconds from a drawn submission's end to the kill, at most."""

_LONGEST_OUTAGE = 4.0
"""Seconds for which a killed engine is away, at most."""

_POLL_SECONDS = 0.1
_MOST_RUNS = 10
"""Runs without a kill within which everything must be graded."""

_SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - only looked at


def fault_run(sandbox: str, submissions: int, kills: int, seed: int, minutes: float) -> dict[str, Any]:
    """One run with kills; what was wrong afterwards stands under ``problems``."""
    provenance = machine_provenance(seed=seed)
    drawn = random.Random(seed)
    with contextlib.ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="fault-run-")))
        engine = held.enter_context(own_engine()) if sandbox == "docker" else None
        environment = {"DOCKER_HOST": engine.host} if engine else {}
        shared_before = set(_SHARED_MEMORY.iterdir())
        expected = undisturbed(folder / "undisturbed", sandbox, environment)
        course = Course.of(folder / "disturbed", submissions, sandbox, environment)
        means: dict[str, Kill] = {"grader": kill_grader, "worker": kill_worker}
        if engine is not None:
            means = {"grader": kill_grader, "worker": worker_of(engine), "engine": outage_of(engine)}
        started_at = time.monotonic()
        disturbance = Disturbance(course, means, drawn, started_at + minutes * 60)
        disturbance.run(sorted(drawn.choices(range(submissions), k=kills)))
        further_runs = settle(course, disturbance.grader)
        seconds = time.monotonic() - started_at
        problems = [*disturbance.problems, *wrong(course, expected)]
        left = course.left() + (engine.left() if engine else [])
        left += sorted(str(path) for path in set(_SHARED_MEMORY.iterdir()) - shared_before)
        problems += [f"left behind: {what}" for what in left]
    return {
        "sandbox": sandbox,
        "provenance": provenance,
        "submissions": submissions,
        "kills": dict(disturbance.kills),
        "graders": disturbance.graders + further_runs,
        "seconds": round(seconds, 1),
        "problems": problems,
    }


@contextlib.contextmanager
def own_engine() -> Iterator[OwnEngine]:
    """An engine that has the worker image."""
    with OwnEngine() as engine:
        engine.load(tagged(DEFAULT_IMAGE))
        yield engine


def undisturbed(folder: Path, sandbox: str, environment: dict[str, str]) -> list[tuple[str, float]]:
    """Verdict and score of each of the different submissions, graded in peace. Raises: ``RuntimeError``."""
    course = Course.of(folder, Course.different(), sandbox, environment)
    if course.start().wait() != 0:
        raise RuntimeError((folder / "grader.log").read_text("utf-8"))
    return [result for _, result in sorted(course.results().items())]


def wrong(course: Course, expected: list[tuple[str, float]]) -> list[str]:
    """Students with a missing result, a duplicate, or another result than without kills."""
    results = course.results()
    problems = [] if len(results) == course.students else [f"{len(results)} results"]
    for number, (student, result) in enumerate(sorted(results.items())):
        if result != expected[number % len(expected)]:
            problems.append(f"{student} got {result}")
    return problems


class Disturbance:
    """Graders that are killed, or lose a worker or the engine, when so many submissions are done."""

    def __init__(self, course: Course, means: dict[str, Kill], drawn: random.Random, deadline: float) -> None:
        """``deadline``, by the monotonic clock: no kill after it."""
        self._course = course
        self._means = means
        self._drawn = drawn
        self._deadline = deadline
        self._kept: set[str] = set()
        self.kills: Counter[str] = Counter()
        self.problems: list[str] = []
        self.graders = 1
        self.grader = course.start()

    def run(self, moments: list[int]) -> None:
        """Kill something at each of ``moments``, counted in results, and a little later."""
        # Every means as often as any other, in a drawn order.
        means = [list(self._means)[number % len(self._means)] for number in range(len(moments))]
        self._drawn.shuffle(means)
        for moment, name in zip(moments, means, strict=True):
            while self._course.count() < moment:
                time.sleep(_POLL_SECONDS)
                self._go_on()
                if time.monotonic() > self._deadline:
                    return
            time.sleep(self._drawn.uniform(0, _LONGEST_DELAY))
            self._go_on()
            self._means[name](self.grader, self._drawn)
            self.kills[name] += 1
            print(f"{self._course.sandbox}: {name} killed after {moment}", file=sys.stderr, flush=True)  # noqa: T201
            self._look()

    def _go_on(self) -> None:
        if self.grader.poll() is not None:
            self.grader = self._course.start()
            self.graders += 1

    def _look(self) -> None:
        now = self._course.stored()
        if len(now) != len(set(now)):
            self.problems.append("a result is stored twice")
        self.problems += [f"{student} was lost" for student in sorted(self._kept - set(now))]
        self._kept = set(now)


def settle(course: Course, grader: subprocess.Popen[bytes]) -> int:
    """Let the grader finish; start others until all is graded. How many. Raises: ``RuntimeError``."""
    for further in range(_MOST_RUNS):
        if grader.wait() == 0:
            return further
        grader = course.start()
    raise RuntimeError((course.folder / "grader.log").read_text("utf-8")[-4000:])


def worker_of(engine: OwnEngine) -> Kill:
    """Kills one process in one of the containers."""

    def kill(_: subprocess.Popen[bytes], drawn: random.Random) -> None:
        hit(engine.processes(), drawn)

    return kill


def outage_of(engine: OwnEngine) -> Kill:
    """Kills the engine, and starts it again a little later."""

    def kill(_: subprocess.Popen[bytes], drawn: random.Random) -> None:
        engine.kill()
        time.sleep(drawn.uniform(0, _LONGEST_OUTAGE))
        engine.start()

    return kill


def recorded() -> list[dict[str, Any]]:
    """The runs that were recorded last, one per sandbox at most."""
    runs: list[dict[str, Any]] = json.loads(RESULTS.read_bytes())["runs"] if RESULTS.exists() else []
    return runs


def table(runs: Sequence[dict[str, Any]]) -> str:
    """``runs`` as a Markdown table under a line of provenance."""
    source = runs[0]["provenance"]
    measured = (
        f"Measured on {source['measured_at'][:10]} at commit `{source['commit'][:7]}` on a machine with "
        f"{source['cores']} cores, Linux {source['kernel']}, seed {source['seed']}."
    )
    rows = [
        (
            run["sandbox"],
            str(run["submissions"]),
            *(str(run["kills"].get(name, "")) for name in ("grader", "worker", "engine")),
            str(run["graders"]),
            f"{run['seconds']:.0f} s",
            str(len(run["problems"])),
        )
        for run in runs
    ]
    header = (
        *("sandbox", "submissions", "grader killed", "worker killed", "engine killed"),
        *("graders started", "time", "lost, doubled, wrong or left behind"),
    )
    return f"{measured}\n\n{pages.table(header, rows, 1)}"


def main() -> None:
    """Run, and write the record and the page; exit code 1 where something was wrong."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--submissions", type=int, default=SUBMISSIONS)
    options.add_argument("--kills", type=int, default=KILLS)
    options.add_argument("--seed", type=int, default=SEED)
    options.add_argument("--only", choices=SANDBOXES)
    options.add_argument("--minutes", type=float, default=math.inf)
    given = options.parse_args()
    chosen = [given.only] if given.only else SANDBOXES
    for sandbox in chosen:
        run = fault_run(sandbox, given.submissions, given.kills, given.seed, given.minutes)
        runs = {known["sandbox"]: known for known in recorded()} | {sandbox: run}
        results = {"schema_version": 1, "runs": [runs[name] for name in SANDBOXES if name in runs]}
        pages.keep(results, RESULTS)
    pages.write({SECTION: table(recorded())}, PAGE)
    sys.exit(any(run["problems"] for run in recorded()))


if __name__ == "__main__":
    main()
