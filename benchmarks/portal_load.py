"""A class at a deadline: everybody submits within a minute and watches, beside an assistant with the matrix.

``python -m benchmarks.portal_load`` starts ``grader serve`` on SQLite with its workers, on this machine. 300 students
submit, and locust records how long each request takes; then the jobs that still wait are withdrawn one by one, so that
every listener gets a last state. ``--postgresql URL`` does the same with four server processes on an empty database.
It writes ``results/portal-load.json``, which keeps the run on the other database, and ``tables/portal.md``.
``--students`` and ``--seconds`` make it smaller, ``--dry`` only prints.

Returns 1 if a submission was not accepted, or an aim is missed.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path
from statistics import median
from typing import Any, Self

import httpx2

from benchmarks import portal_class
from benchmarks.portal_class import ASSISTANT, LAB
from grader.course.workspace import Workspace
from grader.store.job_values import JobEventKind, JobState
from tools import pages
from tools.machine import machine_provenance
from tools.paths import CHECKOUT
from tools.portal_process import PortalProcess, served

RESULTS = pages.RESULTS / "portal-load.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "portal.md"

STUDENTS, LABS, SECONDS = 300, 18, 60.0
POSTGRESQL_PROCESSES = 4
SUBMIT_AIM, LAG_AIM, MATRIX_AIM = 1.0, 2.0, 0.3
"""Seconds: 95 % of the submissions, every listener, and the matrix."""

_WITHDRAWN_A_SECOND = 20
_PATIENCE = 60.0
_MATRICES = 10
_LOOK_SECONDS = 3.0
_LAST = frozenset(
    {JobEventKind.RECORDED, JobEventKind.CANCELLED, JobEventKind.FAILED, JobEventKind.SUPERSEDED}
)


def percentile(values: Sequence[float], share: float) -> float:
    """The least of ``values`` that ``share`` of them do not exceed."""
    return sorted(values)[ceil(share * len(values)) - 1]


def spread(values: Sequence[float]) -> dict[str, float]:
    """How many, the median, the 95th percentile and the most; of nothing only how many."""
    if not values:
        return {"count": 0}
    found = {"median": median(values), "p95": percentile(values, 0.95), "most": max(values)}
    return {"count": len(values)} | {name: round(value, 3) for name, value in found.items()}


def misses(figures: Mapping[str, Any], students: int) -> list[str]:
    """What of the aims ``figures`` miss, as sentences."""
    found = [
        f"{figures[name]} of {students} were {name}"
        for name in ("accepted", "placed", "updated")
        if figures[name] != students
    ]
    limits = (("submit", "p95", SUBMIT_AIM), ("lag", "most", LAG_AIM), ("matrix", "median", MATRIX_AIM))
    for name, figure, limit in limits:
        value = figures["seconds"][name].get(figure)
        if value is not None and value > limit:
            found.append(f"{name}: {figure} {value} s, and the aim is {limit} s")
    return [*found, *figures["failures"]]


class _Looks:
    """Context manager: an assistant opens the matrix every few seconds; ``seconds`` are how long that took."""

    def __init__(self, url: str, session: str) -> None:
        self._client = httpx2.Client(base_url=url, cookies={"grader-session": session}, timeout=60)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.seconds: list[float] = []

    def look(self) -> float:
        """Open the matrix once. Returns: the seconds."""
        started = time.perf_counter()
        answer = self._client.get("/class")
        answer.raise_for_status()
        return time.perf_counter() - started

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self._client.close()

    def _run(self) -> None:
        while not self._over.wait(_LOOK_SECONDS):
            self.seconds.append(self.look())


def measure(url: str, folder: Path, students: int, seconds: float, processes: int) -> dict[str, Any]:
    """The figures of one run in the empty ``folder``."""
    workspace = portal_class.make(folder, url, students, LABS)
    sessions = dict(portal_class.sign_in(workspace, students))
    try:
        with served(folder, "--processes", str(processes)) as server:
            return _play(workspace, server, sessions, folder, seconds)
    finally:
        workspace.close()


def _play(
    workspace: Workspace, server: PortalProcess, sessions: dict[str, str], folder: Path, seconds: float
) -> dict[str, Any]:
    _await_workers(workspace)
    looks = _Looks(server.url, sessions.pop(ASSISTANT))
    first = looks.look()
    warm = [looks.look() for _ in range(_MATRICES)]
    plan = {"url": server.url, "lab": LAB, "sessions": sessions, "seconds": seconds, "patience": _PATIENCE}
    (folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "benchmarks.portal_students",
        str(folder / "plan.json"),
        str(folder / "seen.json"),
    ]
    with looks, subprocess.Popen(command, cwd=CHECKOUT) as process:
        began = time.monotonic()
        while len(_jobs(workspace)) < len(sessions) and time.monotonic() - began < seconds + _PATIENCE / 2:
            time.sleep(0.5)
        _withdraw(workspace)
        if process.wait():
            msg = "locust failed"
            raise RuntimeError(msg)
    seen = json.loads((folder / "seen.json").read_text("utf-8"))
    lags = _lags(workspace, seen["students"])
    asked = seen["seconds"]
    return {
        "accepted": len(seen["students"]),
        "placed": sum(
            each["ahead"] is not None or each["phase"] != "received" for each in seen["students"].values()
        ),
        "updated": len(lags),
        "graded": len(workspace.store.jobs.list([JobState.DONE])) if workspace.store else 0,
        "seconds": {
            **{name: spread(asked.get(name, [])) for name in ("lab", "submit", "state", "attempt", "events")},
            "lag": spread(lags),
            "first matrix": spread([first]),
            "matrix": spread(warm),
            "matrix under load": spread(looks.seconds),
        },
        "failures": seen["failures"],
    }


def _await_workers(workspace: Workspace) -> None:
    """Wait for the workers: a server runs long before a deadline. Raises: ``TimeoutError``."""
    assert workspace.store is not None
    began = time.monotonic()
    while not workspace.store.workers.list():
        if time.monotonic() - began > _PATIENCE:
            raise TimeoutError
        time.sleep(0.5)


def _jobs(workspace: Workspace) -> Sequence[int]:
    assert workspace.store is not None
    return [job.id for job in workspace.store.jobs.list(lab=LAB)]


def _withdraw(workspace: Workspace) -> None:
    """Cancel what waits or runs, a few each second."""
    assert workspace.store is not None
    for job in _jobs(workspace):
        if workspace.store.jobs.cancel(job):
            time.sleep(1 / _WITHDRAWN_A_SECOND)


def _lags(workspace: Workspace, students: Mapping[str, Mapping[str, Any]]) -> list[float]:
    """The seconds from the last change of each attempt in the store to its arrival at the listener."""
    assert workspace.store is not None
    progress = workspace.store.jobs.progress([each["attempt"] for each in students.values()])
    found = []
    for each in students.values():
        if each["final_at"] is not None:
            events = workspace.store.jobs.events(progress[each["attempt"]].job.id)
            ended = max(event.at.timestamp() for event in events if event.kind in _LAST)
            # A listener that came after the end got the last state at once.
            found.append(max(0.0, each["final_at"] - max(ended, each["submitted_at"])))
    return found


def table(record: Mapping[str, Any]) -> str:
    """The figures of each database, each with its provenance."""
    texts = []
    for name, run in record["runs"].items():
        source = run["provenance"]
        processes = (
            "one server process" if source["processes"] == 1 else f"{source['processes']} server processes"
        )
        texts.append(
            f"{name}: on {source['measured_at'][:10]} at commit `{source['commit'][:7]}` on a machine with "
            f"{source['cores']} cores ({source['cpu']}, load {source['load']:.1f} before) with {processes}, the "
            f"workers and the {source['students']} students: {run['accepted']} submissions within "
            f"{source['seconds']:.0f} s accepted, {run['placed']} with their place in the queue, {run['updated']} "
            f"listeners with their last state, {run['graded']} graded in that time, {len(run['failures'])} failures."
        )
    rows = [
        (name, what, str(found["count"]), *(f"{found[each]:.3f} s" for each in ("median", "p95", "most")))
        for name, run in record["runs"].items()
        for what, found in run["seconds"].items()
        if found["count"]
    ]
    return "\n\n".join(
        [*texts, pages.table(("database", "what", "count", "median", "95 %", "most"), rows, 2)]
    )


def main(arguments: Sequence[str]) -> int:
    """Measure, and write the record and the page. Returns: 1 if an aim is missed."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--postgresql", metavar="URL", help="An empty database.")
    options.add_argument("--students", type=int, default=STUDENTS)
    options.add_argument("--seconds", type=float, default=SECONDS)
    options.add_argument("--dry", action="store_true", help="Only print the table.")
    given = options.parse_args(arguments)
    processes = POSTGRESQL_PROCESSES if given.postgresql else 1
    provenance = machine_provenance(
        students=given.students, labs=LABS, seconds=given.seconds, processes=processes
    )
    with tempfile.TemporaryDirectory() as name:
        url = given.postgresql or f"sqlite:///{name}/store.sqlite"
        figures = measure(url, Path(name), given.students, given.seconds, processes)
    run = {"PostgreSQL" if given.postgresql else "SQLite": {"provenance": provenance, **figures}}
    known = json.loads(RESULTS.read_text("utf-8"))["runs"] if RESULTS.exists() else {}
    record = {"schema_version": 1, "runs": run if given.dry else {**known, **run}}
    if not given.dry:
        pages.keep(record, RESULTS)
        pages.write({"load": table(record)}, PAGE)
    missed = misses(figures, given.students)
    sys.stdout.write("\n".join([table(record), *missed, ""]))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
