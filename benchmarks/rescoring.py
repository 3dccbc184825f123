"""How long a class takes to be scored by a changed rubric.

``python -m benchmarks.rescoring`` grades one submission with three kernels, gives its facts to a class of 300 with
files of their own, and changes the points of the lab. It then scores the class with ``grader rescore`` in a new
process, several times, and writes ``results/rescoring.json`` and ``tables/rescoring.md``.
"""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from grader.course.records import Records
from grader.course.result_writer import key_of
from grader.course.workspace import open_workspace
from grader.model.submission import Submission
from grader.store.values import NewScore
from tools import pages
from tools.machine import machine_provenance
from tools.paths import CHECKOUT

RESULTS = pages.RESULTS / "rescoring.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "rescoring.md"

STUDENTS = 300
LAB, SOURCE = "row-sum", CHECKOUT / "submissions" / "row-sum" / "student-06.cu"
ROUNDS = 5
TARGET_SECONDS = 3.0

_COMMAND = [sys.executable, "-c", "from grader.cli.app import main; main()"]


def grader(folder: Path, *arguments: str) -> dict[str, float]:
    """Run ``grader`` in ``folder``. Returns: the seconds of wall time and of CPU time that it took."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    subprocess.run([*_COMMAND, *arguments], cwd=folder, check=True, env=environment, capture_output=True)
    wall, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall": round(wall, 3), "cpu": round(cpu, 3)}


def prepare(folder: Path) -> int:
    """A graded class in ``folder``. Returns: the bytes of one submission's facts."""
    configure(folder, correctness=60)
    submitted = folder / "class" / LAB
    submitted.mkdir(parents=True)
    shutil.copy(SOURCE, submitted / "student-000.cu")
    grader(folder, "grade", "class", "--engine", "emulator", "--trust-submissions")
    os.chdir(folder)
    with Records(open_workspace()) as records:
        store = records.store
        result = records.latest("student-000", LAB)
        facts = store.facts.read(result.score.facts or "")
        if facts is None:
            msg = "the submission has no facts"
            raise RuntimeError(msg)
        (file,) = store.submissions.files(result.score.key)
        for number in range(1, STUDENTS):
            student = f"student-{number:03}"
            own = replace(file, data=file.data + f"// {student}\n".encode())
            submission = Submission(
                student=student, lab=LAB, language=result.score.language, files=(own,), path=f"{student}.cu"
            )
            now = datetime.now(UTC)
            store.submissions.put(submission, now)
            theirs = store.facts.put(replace(facts, key=replace(facts.key, submission=submission.digest)))
            score = NewScore(
                key=key_of(submission),
                facts=theirs.key.digest,
                lab_code=result.score.lab_code,
                rubric=result.score.rubric,
                engine=result.score.engine,
                report=replace(result.report, student=student),
            )
            store.scores.put(score, now)
    return len(facts.data)


def configure(folder: Path, *, correctness: int) -> None:
    """Let the lab give ``correctness`` points for right results."""
    text = f"[scoring]\nmodelled_speedups = true\n[labs.{LAB}.rubric]\ncorrectness = {correctness}\n"
    (folder / "grader.toml").write_text(text, encoding="utf-8")


def measure() -> dict[str, Any]:
    """Seconds of each rescoring, and of the same command when nothing changed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        facts_bytes = prepare(folder)
        changed, unchanged = [], []
        for number in range(ROUNDS):
            configure(folder, correctness=50 + number)
            changed.append(grader(folder, "rescore"))
            unchanged.append(grader(folder, "rescore"))
        os.chdir(CHECKOUT)
    return {"facts_bytes": facts_bytes, "changed": changed, "unchanged": unchanged}


def table(results: dict[str, Any]) -> str:
    """The figures under a line of provenance."""
    source, found = results["provenance"], results["figures"]
    measured = (
        f"Measured on {source['measured_at'][:10]} at commit `{source['commit'][:7]}` on a machine with "
        f"{source['cores']} cores ({source['cpu']}, load {source['load']:.1f} before), Linux {source['kernel']}, "
        f"Python {source['python']}; {source['rounds']} runs. The facts of a submission have "
        f"{found['facts_bytes'] / 1000:.0f} kB."
    )
    what = {
        "changed": (
            f"{source['students']} submissions with 3 kernels, points changed",
            f"{TARGET_SECONDS:g} s",
        ),
        "unchanged": ("the same, nothing changed", ""),
    }
    rows = [
        (
            name,
            *(
                f"{pick(each[kind] for each in found[key]):.2f} s"
                for kind in ("wall", "cpu")
                for pick in (min, statistics.median)
            ),
            target,
        )
        for key, (name, target) in what.items()
    ]
    header = ("what", "wall, least", "wall, median", "CPU, least", "CPU, median", "target (wall)")
    return f"{measured}\n\n{pages.table(header, rows, 1)}"


def main() -> None:
    """Measure, and write the record and the page."""
    provenance = machine_provenance(rounds=ROUNDS, students=STUDENTS)
    results = {"schema_version": 1, "provenance": provenance, "figures": measure()}
    pages.keep(results, RESULTS)
    pages.write({"rescoring": table(results)}, PAGE)


if __name__ == "__main__":
    main()
