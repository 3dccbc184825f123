"""How long the store takes to answer what a course asks, and how much memory that needs.

``python -m benchmarks.store_queries`` fills a store with 200 students, 18 labs and 5 submissions each, asks each
question in a separate process, and writes ``results/store-queries.json`` and ``tables/store.md``. ``--postgresql URL``
does the same on a PostgreSQL server. ``--sqlite FILE`` keeps the SQLite file. What an earlier run filled is not filled
again.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from grader.config.settings import Config, StoreSettings
from grader.model.reason import as_written
from grader.model.report import (
    CaseReport,
    EngineInfo,
    KernelReport,
    Report,
    Speedup,
    SpeedupKind,
    Timing,
    Visibility,
)
from grader.model.review import Decision as FlagDecision
from grader.model.run import EngineKind, LineProfile, TimedPair
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.store.ports import Store
from grader.store.rulings import FlagReview
from grader.store.sql_store import open_store
from grader.store.values import Decision, NewScore, SubmissionKey
from tools import pages
from tools.machine import machine_provenance
from tools.paths import CHECKOUT

RESULTS = pages.RESULTS / "store-queries.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "store.md"

STUDENTS, LABS, SUBMISSIONS = 200, 18, 5
FLAGGED_EVERY = 100
ROUNDS = 5

ENGINE = EngineInfo(kind=EngineKind.CUDA, device="NVIDIA H200")
START = datetime(2026, 9, 1, tzinfo=UTC)

QUERIES: dict[str, Callable[[Store], int]] = {
    "leaderboards of all labs": lambda store: len(store.scores.boards()),
    "leaderboard of one lab": lambda store: len(store.scores.boards("lab-07")),
    "submissions that wait for review": lambda store: len(store.scores.flagged()),
    "class table: newest score of each student and lab": lambda store: len(store.scores.latest_all()),
    "newest score of one student and lab": lambda store: int(
        store.scores.latest("student-123", "lab-07") is not None
    ),
}
"""By name: what is asked; the result is the number of rows in the answer."""

COMMANDS = (("leaderboard",), ("review",))

_TIMES = ("CPU, least", "CPU, median", "wall, least", "wall, median")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One run of a query in a new process: seconds without its start, and its peak memory in bytes with it.

    ``cpu`` are the seconds that the process computed; those of a database server are not among them.
    """

    seconds: float
    cpu: float
    memory: int
    rows: int


def report(student: str, lab: str, number: int, *, flagged: bool) -> Report:
    """A report of the size that a lab with three kernels, 18 cases and a timed ladder has."""
    value = 1.0 + number * 0.3
    speedup = Speedup(
        value=value, low=value - 0.1, high=value + 0.1, kind=SpeedupKind.MEASURED, baseline="global"
    )
    passed = as_written("right in all 18 cases")
    cases = tuple(
        CaseReport(name=f"c{case}", visibility=Visibility.PUBLIC, verdict=Verdict.ACCEPTED, reason=passed)
        for case in range(18)
    )
    lines = tuple(
        LineProfile(file="a.cu", line=line, warp_instructions=99 + number, thread_instructions=999)
        for line in range(30)
    )
    pairs = tuple(
        TimedPair(baseline=1e-3 + pair * 1e-9, submission=5e-4 + (pair + number) * 1e-9) for pair in range(60)
    )
    verdict = Verdict.SUSPICIOUS if flagged else Verdict.ACCEPTED
    kernels = tuple(
        KernelReport(
            name=f"kernel-{kernel}",
            verdict=verdict,
            reason=as_written("faster than memory allows") if flagged else passed,
            cases=cases,
            speedup=speedup,
            seconds=5e-4,
            resources=None,
            diagnostics=(),
            lines=lines,
            timings=(Timing(rung="global", kind=SpeedupKind.MEASURED, pairs=pairs),),
        )
        for kernel in range(3)
    )
    return Report(
        student=student,
        lab=lab,
        file=f"submissions/{lab}/{student}.cu",
        language=Language.CUDA_C,
        verdict=verdict,
        reason=passed,
        score=90.0,
        max_score=100.0,
        parts=(),
        kernels=kernels,
        lab_version="1.0",
    )


def submissions() -> Iterator[tuple[int, Submission]]:
    """The submissions of the whole course in the order they come, numbered."""
    for number in range(STUDENTS * LABS * SUBMISSIONS):
        student = f"student-{number % STUDENTS:03}"
        lab = f"lab-{number // STUDENTS % LABS:02}"
        source = SourceFile(name="a.cu", data=f"// {number}\n__global__ void kernel() {{}}\n".encode() * 40)
        yield (
            number,
            Submission(
                student=student, lab=lab, language=Language.CUDA_C, files=(source,), path=f"{lab}/{student}"
            ),
        )


def fill(store: Store) -> None:
    """Store a course; one in a hundred submissions is flagged, and staff decided about half of these."""
    for number, submission in submissions():
        now = START + timedelta(minutes=number)
        flagged = number % FLAGGED_EVERY == 0
        key = SubmissionKey(student=submission.student, lab=submission.lab, digest=submission.digest)
        store.submissions.put(submission, now)
        made = report(submission.student, submission.lab, number % 7, flagged=flagged)
        new = NewScore(key=key, facts=None, lab_code="code", rubric="rubric", engine=ENGINE, report=made)
        store.scores.put(new, now)
        if flagged and number % (2 * FLAGGED_EVERY) == 0:
            store.decisions.add(_cleared(key, now))


def _cleared(key: SubmissionKey, now: datetime) -> Decision:
    ruling = FlagReview(outcome=FlagDecision.CLEARED, lab_code="code", engine=ENGINE)
    return Decision(
        student=key.student,
        lab=key.lab,
        submission=key.digest,
        ruling=ruling,
        who="ta",
        why="profiled",
        decided_at=now,
    )


def opened(url: str) -> Store:
    """The store at ``url``."""
    return open_store(Config(base=Path("/nonexistent"), store=StoreSettings(url=url)))


def answer(url: str, query: str) -> Answer:
    """Ask one question in this process."""
    started, computed = time.monotonic(), time.process_time()
    store = opened(url)
    rows = QUERIES[query](store)
    seconds, cpu = time.monotonic() - started, time.process_time() - computed
    store.close()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return Answer(seconds=seconds, cpu=cpu, memory=memory, rows=rows)


def _asked(url: str, query: str) -> Answer:
    """Ask one question in a new process."""
    code = (
        "import sys, msgspec; from benchmarks.store_queries import answer; "
        "sys.stdout.buffer.write(msgspec.json.encode(answer(*sys.argv[1:])))"
    )
    command = [sys.executable, "-c", code, url, query]
    done = subprocess.run(command, cwd=CHECKOUT, check=True, capture_output=True)
    return msgspec.json.decode(done.stdout, type=Answer)


def _run(folder: Path, arguments: Sequence[str]) -> Answer:
    """Run a command of ``grader`` in ``folder``; its seconds include its start, its rows are the lines it prints."""
    code = "from grader.cli.app import main; main()"
    with tempfile.TemporaryFile() as output:
        started = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
            stdout=output,
            stderr=subprocess.DEVNULL,
        )
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0, arguments
        output.seek(0)
        cpu = used.ru_utime + used.ru_stime
        return Answer(seconds=seconds, cpu=cpu, memory=used.ru_maxrss * 1024, rows=len(output.readlines()))


def measure_commands(url: str, folder: Path) -> list[dict[str, Any]]:
    """Run every command several times on the store at ``url``."""
    (folder / "grader.toml").write_text(f'[store]\nurl = "{url}"\n', encoding="utf-8")
    return [
        _figure(f"`grader {' '.join(command)}`", [_run(folder, command) for _ in range(ROUNDS)])
        for command in COMMANDS
    ]


def _figure(query: str, answers: Sequence[Answer]) -> dict[str, Any]:
    return {
        "query": query,
        "rows": answers[0].rows,
        "seconds": [round(each.seconds, 4) for each in answers],
        "cpu": [round(each.cpu, 4) for each in answers],
        "memory": max(each.memory for each in answers),
    }


def measure(url: str) -> list[dict[str, Any]]:
    """Fill the database at ``url`` unless an earlier run did, and ask every question several times."""
    store = opened(url)
    if store.scores.latest("student-000", "lab-00") is None:
        fill(store)
    store.close()
    return [_figure(query, [_asked(url, query) for _ in range(ROUNDS)]) for query in QUERIES]


def query_table(results: dict[str, Any]) -> str:
    """Seconds and memory of each query under a line of provenance."""
    source = results["provenance"]
    measured = (
        f"Measured on {source['measured_at'][:10]} at commit `{source['commit'][:7]}` on a machine with "
        f"{source['cores']} cores ({source['cpu']}, load {source['load']:.1f} before), Linux {source['kernel']}, "
        f"Python {source['python']}; {source['rounds']} runs each. {source['records']:,} scores with reports of "
        f"{source['report_bytes'] / 1000:.0f} kB each; the SQLite file has {source['file_bytes'] / 1e6:.0f} MB."
    )
    rows = [
        (database, *_cells(figure)) for database, found in results["databases"].items() for figure in found
    ]
    header = ("database", "query", "rows", *_TIMES, "peak memory")
    return f"{measured}\n\n{pages.table(header, rows, 2)}"


def command_table(results: dict[str, Any]) -> str:
    """Seconds and memory of each command, its start and its output included."""
    rows = [
        (database, *_cells(figure)) for database, found in results["commands"].items() for figure in found
    ]
    return pages.table(("database", "command", "lines", *_TIMES, "peak memory"), rows, 2)


def _cells(figure: dict[str, Any]) -> tuple[str, ...]:
    return (
        figure["query"],
        f"{figure['rows']:,}",
        *(f"{pick(figure[kind]):.3f} s" for kind in ("cpu", "seconds") for pick in (min, statistics.median)),
        f"{figure['memory'] / 1e6:.0f} MB",
    )


def main() -> None:
    """Measure, and write the record and the page."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--postgresql", metavar="URL", help="An empty database, or one of an earlier run.")
    options.add_argument("--sqlite", metavar="FILE", type=Path, help="Where to keep the SQLite file.")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = (given.sqlite or Path(folder) / "store.sqlite").resolve()
        urls = {"SQLite": f"sqlite:///{file}"} | (
            {"PostgreSQL": given.postgresql} if given.postgresql else {}
        )
        provenance = machine_provenance(
            rounds=ROUNDS,
            records=STUDENTS * LABS * SUBMISSIONS,
            report_bytes=len(msgspec.json.encode(report("student-000", "lab-00", 0, flagged=False))),
        )
        databases = {database: measure(url) for database, url in urls.items()}
        commands = {database: measure_commands(url, Path(folder)) for database, url in urls.items()}
        provenance["file_bytes"] = file.stat().st_size
    results = {"schema_version": 1, "provenance": provenance, "databases": databases, "commands": commands}
    pages.keep(results, RESULTS)
    pages.write({"queries": query_table(results), "commands": command_table(results)}, PAGE)


if __name__ == "__main__":
    main()
