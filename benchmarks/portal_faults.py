"""The portal, its workers and its database are killed at random moments while a class submits and watches.

``python -m benchmarks.portal_faults`` serves a course with ``grader serve`` on SQLite. 60 students submit within two
minutes, each with a key, and try again until they have an answer; each watches until the last state. In that time 30
processes end by SIGKILL: the server, the dispatcher, or what works for it. Each is started again as an operator's
service manager does. Afterwards no submission is lost, none is there or graded twice, no job is stuck, and every
student saw the last state. ``--postgresql`` also kills a PostgreSQL server that the benchmark starts.

It writes ``results/portal-faults.json``, which keeps the run on the other database, and ``tables/portal.md``.
``--students``, ``--rounds`` and ``--seconds`` make it smaller, ``--dry`` only prints. Returns 1 if something is wrong.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.portal_fault_run import FaultResult, FaultRun
from tools import pages
from tools.machine import machine_provenance
from tools.paths import CHECKOUT

RESULTS = pages.RESULTS / "portal-faults.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "portal.md"

STUDENTS, ROUNDS, SECONDS = 60, 30, 120.0


def measure(students: int, kills: int, seconds: float, seed: int, *, postgresql: bool) -> FaultResult:
    """Play one run in a new folder."""
    with tempfile.TemporaryDirectory() as name:
        # The database server is another user's.
        Path(name).chmod(0o755)
        with FaultRun(Path(name), students, postgresql=postgresql) as run:
            return run.play(kills, seconds, seed)


def table(record: Mapping[str, Any]) -> str:
    """What each run showed, each with its provenance."""
    runs = record["runs"]
    texts = []
    for name, run in runs.items():
        source = run["provenance"]
        texts.append(
            f"{name}: on {source['measured_at'][:10]} at commit `{source['commit'][:7]}` on a machine with "
            f"{source['cores']} cores ({source['cpu']}, load {source['load']:.1f} before): {source['students']} "
            f"students submitted within {source['seconds']:.0f} s."
        )
    kinds = sorted({kind for run in runs.values() for kind in run["kills"]})
    rows = [
        *((f"killed: {kind}", *(str(run["kills"].get(kind, 0)) for run in runs.values())) for kind in kinds),
        *((what, *(str(run[key]) for run in runs.values())) for what, key in _ROWS),
    ]
    return "\n\n".join([*texts, pages.table(("what", *runs), rows, 1)])


_ROWS = (
    ("submissions accepted", "accepted"),
    ("lost", "lost"),
    ("stored twice", "doubled"),
    ("graded twice", "graded_twice"),
    ("stuck", "stuck"),
    ("live pages without a last state", "unended"),
    ("submissions sent again after a fault", "sent_again"),
    ("times that live pages connected again", "connected_again"),
    ("jobs that lost three attempts and were retried by hand", "retried"),
    ("longest restart of the server, in seconds", "longest_restart"),
)


def main(arguments: Sequence[str]) -> int:
    """Run, and write the record and the page."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--postgresql", action="store_true", help="On a PostgreSQL server, which is killed too."
    )
    options.add_argument("--students", type=int, default=STUDENTS)
    options.add_argument("--rounds", type=int, default=ROUNDS, help="How many processes are killed.")
    options.add_argument("--seconds", type=float, default=SECONDS)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--dry", action="store_true", help="Only print the table.")
    given = options.parse_args(arguments)
    provenance = machine_provenance(students=given.students, seconds=given.seconds, seed=given.seed)
    result = measure(given.students, given.rounds, given.seconds, given.seed, postgresql=given.postgresql)
    run = {"PostgreSQL" if given.postgresql else "SQLite": {"provenance": provenance, **asdict(result)}}
    known = json.loads(RESULTS.read_text("utf-8"))["runs"] if RESULTS.exists() else {}
    record = {"schema_version": 1, "runs": run if given.dry else {**known, **run}}
    if not given.dry:
        pages.keep(record, RESULTS)
        pages.write({"faults": table(record)}, PAGE)
    sys.stdout.write(f"{table(record)}\n")
    return 0 if result.is_right else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
