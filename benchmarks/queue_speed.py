"""How long the queue takes to submit, to place and to claim, with many submissions in the store and many jobs waiting.

``python -m benchmarks.queue_speed`` fills a store with 100,000 submissions and 10,000 waiting jobs, and times each
question with the change that it makes on disk. ``--postgresql URL`` does the same in an empty database of a server. It
writes ``results/queue-speed.json`` and ``tables/queue.md``.
"""

import argparse
import hashlib
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from grader.config.settings import Config, StoreSettings
from grader.model.needs import Needs
from grader.model.submission import Language
from grader.store.connect import connect
from grader.store.job_rows import needs_text
from grader.store.job_tables import JOBS
from grader.store.job_values import Job, JobState, Lane
from grader.store.ports import Store
from grader.store.sql_store import open_store
from grader.store.tables import SUBMISSIONS
from tools import pages
from tools.fake_jobs import FakeHandler, submit
from tools.fake_work import Order
from tools.machine import machine_provenance
from tools.paths import CHECKOUT

RESULTS = pages.RESULTS / "queue-speed.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "queue.md"

STORED, WAITING = 100_000, 10_000
STUDENTS, ROUNDS = 1000, 200
START = datetime(2026, 9, 1, tzinfo=UTC)

_FIGURES = ("cpu", "least", "median", "p95")

GOALS = {"submit": 0.020, "place": 0.020, "claim": 0.005}
"""The most seconds that the median may be."""


def fill(url: str) -> None:
    """Rows of submissions, the last of which have jobs that wait. They are written past the ports, which is quicker."""
    engine = connect(url, Path("/nonexistent"))
    numbers = range(1, STORED + 1)
    with engine.begin() as connection:
        connection.execute(SUBMISSIONS.insert(), [_submission(number) for number in numbers])
        connection.execute(JOBS.insert(), [_job(number) for number in numbers[-WAITING:]])
    if engine.dialect.name == "postgresql":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql(
                "SELECT setval('submissions_id_seq', (SELECT max(id) FROM submissions))"
            )
            connection.exec_driver_sql("SELECT setval('jobs_id_seq', (SELECT max(id) FROM jobs))")
            connection.exec_driver_sql("ANALYZE")
    engine.dispose()


def _submission(number: int) -> dict[str, Any]:
    return {
        "id": number,
        "student": f"student-{number % STUDENTS:04}",
        "lab": f"lab-{number % 18:02}",
        "digest": hashlib.sha256(str(number).encode()).hexdigest(),
        "language": Language.CUDA_C,
        "path": "a.cu",
        "submitted_at": START + timedelta(seconds=number),
    }


def _job(number: int) -> dict[str, Any]:
    row = _submission(number)
    return {
        "id": number,
        "submission_id": number,
        "student": row["student"],
        "lab": row["lab"],
        "lane": Lane(number % 3),
        "turn": number % 10,
        "needs": needs_text(Needs(engine=("cuda", "emulator")[number % 2])),
        "trusted": False,
        "seed": number * 2**100,
        "state": JobState.WAITING,
        "attempts": 0,
        "not_before": START,
        "submitted_at": row["submitted_at"],
        "why": "",
    }


def times(store: Store) -> dict[str, list[tuple[float, float]]]:
    """Seconds and CPU seconds of each question, many times, in a store that keeps its size."""
    found: dict[str, list[tuple[float, float]]] = {"submit": [], "place": [], "claim": [], "record": []}

    def timed(name: str, ask: Callable[[], Any]) -> Any:
        started, computed = time.perf_counter(), time.process_time()
        answer = ask()
        found[name].append((time.perf_counter() - started, time.process_time() - computed))
        return answer

    handler = FakeHandler(store)
    both = (Needs(engine="cuda"), Needs(engine="emulator"), Needs())
    for number in range(ROUNDS):
        order = Order(seconds=number)
        job: Job = timed("submit", partial(submit, store, f"new-{number}", order, lane=Lane.CLASS))
        timed("place", partial(store.jobs.place, job.id))
        claimed: Job = timed("claim", partial(store.jobs.claim, "benchmark", both))
        record = handler.record_of(claimed, "Fake H100", 1.0)
        timed("record", partial(store.jobs.record, claimed.id, 1, record, START))
    return found


def measure(url: str) -> dict[str, Any]:
    """Fill the empty database at ``url``, and time it."""
    store = open_store(Config(base=Path("/nonexistent"), store=StoreSettings(url=url)))
    fill(url)
    found = times(store)
    store.close()
    return {name: _figures(values) for name, values in found.items()}


def _figures(values: list[tuple[float, float]]) -> dict[str, float]:
    seconds, cpu = zip(*values, strict=True)
    return {
        "cpu": statistics.median(cpu),
        "least": min(seconds),
        "median": statistics.median(seconds),
        "p95": statistics.quantiles(seconds, n=20)[-1],
    }


def table(record: dict[str, Any]) -> str:
    """Milliseconds of each question under a line of provenance."""
    source = record["provenance"]
    text = (
        f"Measured on {source['measured_at'][:10]} at commit `{source['commit'][:7]}` on a machine with "
        f"{source['cores']} cores ({source['cpu']}, load {source['load']:.1f} before), Python {source['python']}; "
        f"{STORED:,} submissions are in the store, {WAITING:,} jobs wait, {ROUNDS} rounds. Milliseconds; other work on "
        "the same cores makes all but the least longer."
    )
    rows = [
        (database, name, *(f"{1000 * figures[key]:.1f}" for key in _FIGURES))
        for database, found in record["databases"].items()
        for name, figures in found.items()
    ]
    header = ("database", "question", "CPU, median", "least", "median", "95 %")
    return f"{text}\n\n{pages.table(header, rows, 2)}"


def main() -> None:
    """Measure, compare with the goals, and write the record and the page."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--postgresql", metavar="URL", help="An empty database.")
    given = options.parse_args()
    provenance = machine_provenance(submissions=STORED, waiting=WAITING, rounds=ROUNDS)
    with tempfile.TemporaryDirectory() as folder:
        databases = {"SQLite": measure(f"sqlite:///{folder}/store.sqlite")}
        if given.postgresql:
            databases["PostgreSQL"] = measure(given.postgresql)
    record = {"schema_version": 1, "provenance": provenance, "databases": databases}
    pages.keep(record, RESULTS)
    pages.write({"queue": table(record)}, PAGE)
    missed = [
        f"{database}: {name}"
        for database, found in databases.items()
        for name, most in GOALS.items()
        if found[name]["median"] > most
    ]
    sys.stdout.write(f"{table(record)}\n")
    sys.stdout.write(f"goals missed: {', '.join(missed) or 'none'}\n")


if __name__ == "__main__":
    main()
