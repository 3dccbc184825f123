"""How long the comparison of 1,000 submissions takes, and how long their compilation.

``python -m benchmarks.similarity_speed`` writes ``results/similarity-speed.json`` and its table in
``benchmarks/tables/similarity.md``. The class is that of ``similarity_copies``. Compilation in sandboxes is timed for
some submissions only, with two at a time; all others are compiled in this process, which is not timed.
"""

import argparse
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.similarity_class import LAB, submission, works
from grader.cache import CacheFolder
from grader.course.environment import open_environment
from grader.course.workspace import open_workspace
from grader.grading.parallel_map import parallel_map_unordered
from grader.grading.rungs import build_request
from grader.languages import support
from grader.model.run import EngineKind
from grader.model.similarity import ComparedWork, Fingerprints
from grader.model.submission import Submission
from grader.similarity.comparison import Comparison, Work
from grader.similarity.compiled import Fingerprinter
from grader.similarity.fingerprints import of_submission
from grader.worker import wire
from tools import pages
from tools.machine import machine_provenance
from tools.paths import CHECKOUT

RESULTS = pages.RESULTS / "similarity-speed.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "similarity.md"
SECTION = "similarity-speed"

STUDENTS, SANDBOXED, LISTED = 1000, 40, 20

MOST_SECONDS = 60.0
"""The limit for everything but compilation, in seconds of a processor: it uses one."""

Seconds = dict[str, dict[str, float]]
"""Of each step those of the clock on the wall and of the processor."""


@contextmanager
def _timed(seconds: Seconds, name: str) -> Iterator[None]:
    wall, cpu = time.monotonic(), time.process_time()
    yield
    seconds[name] = {
        "wall": round(time.monotonic() - wall, 2),
        "cpu": round(time.process_time() - cpu, 2),
    }


def measure(students: int, sandboxed: int) -> Seconds:
    """The seconds of each step."""
    workspace = open_workspace()
    lab = workspace.registry.get(LAB)
    class_ = [submission(f"student-{number:04}", own) for number, own in enumerate(works(students, 1))]
    translations = [support(own.language).translate(build_request(lab, own, "sm_75")) for own in class_]
    seconds: Seconds = {}
    with _timed(seconds, "fingerprints"):
        found = [of_submission(own, each) for own, each in zip(class_, translations, strict=True)]
    with _timed(seconds, "comparison"):
        _compare(class_, found)
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder)
        for own, each in zip(class_, found, strict=True):
            (kept / own.student).write_bytes(wire.encode(each))
        with _timed(seconds, "again"):
            _compare(class_, [wire.decode((kept / own.student).read_bytes(), Fingerprints) for own in class_])
    cancelled = threading.Event()
    with open_environment(
        workspace, EngineKind.EMULATOR, cancelled, trusted=False, probe=False
    ) as environment:
        fingerprinter = Fingerprinter(environment, CacheFolder(f"benchmark-{time.time_ns()}"))
        with _timed(seconds, "sandboxed"):
            some = class_[:sandboxed]
            list(parallel_map_unordered(lambda own: fingerprinter.of(lab, own), some, 2, cancelled))
    return seconds


def _compare(class_: Sequence[Submission], found: Sequence[Fingerprints]) -> None:
    compared = [
        Work(
            shown=ComparedWork(student=own.student, language=own.language, path=own.path, digest=own.digest),
            fingerprints=each,
        )
        for own, each in zip(class_, found, strict=True)
    ]
    assert len(Comparison(LAB, compared, {}).report(LISTED).pairs) == LISTED


def table(record: dict[str, Any]) -> str:
    """The steps, under a line of provenance."""
    source, seconds = record["provenance"], record["seconds"]
    measured = (
        f"Measured on {source['measured_at'][:10]} at commit `{source['commit'][:7]}` on a machine with "
        f"{source['cores']} cores ({source['cpu']}, load {source['load']:.1f} before)."
    )
    here = ("fingerprints", "comparison", "again")
    names = (
        f"fingerprints of {source['students']:,} submissions, source and PTX",
        "comparison of all pairs, passages of the listed ones",
        "a second run, with the fingerprints of the cache",
    )
    rows = [
        (name, f"{seconds[step]['cpu']:.1f} s", f"{seconds[step]['wall']:.1f} s")
        for name, step in zip(names, here, strict=True)
    ]
    each = seconds["sandboxed"]["wall"] / source["sandboxed"]
    rows.append(("compilation of one submission in a sandbox, two at a time", "", f"{each:.2f} s"))
    return f"{measured}\n\n{pages.table(('step', 'processor', 'wall'), rows, 1)}"


def main() -> None:
    """Measure, and write the record and the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--students", type=int, default=STUDENTS)
    options.add_argument("--sandboxed", type=int, default=SANDBOXED)
    chosen = options.parse_args()
    provenance = machine_provenance(students=chosen.students, sandboxed=chosen.sandboxed)
    seconds = measure(chosen.students, chosen.sandboxed)
    record = {"schema_version": 1, "provenance": provenance, "seconds": seconds}
    pages.keep(record, RESULTS)
    pages.write({SECTION: table(record)}, PAGE)
    assert seconds["fingerprints"]["cpu"] + seconds["comparison"]["cpu"] <= MOST_SECONDS


if __name__ == "__main__":
    main()
