"""How long a mixed class takes without a GPU, at a former commit and now, and where the time goes.

``python -m benchmarks.class_on_emulator COMMIT [COUNT] [SANDBOX ...]`` grades ``COUNT`` submissions (300;
``benchmarks.mixed_class``) with ``grader grade`` at either commit in each sandbox (process and bubblewrap), then every
fifth of them, one by one, to find the processor time by part. It writes
``benchmarks/results/class-on-emulator.json`` and ``benchmarks/tables/class-on-emulator.md``.

The time on the clock depends on what else the machine does; processor time hardly does. bubblewrap's workers end with
their process namespace, so nobody learns their processor time.
"""

import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.former_commit import extract, full_name, present_name, python_of
from benchmarks.mixed_class import LABS, MUTANTS, NUMBA, write_class
from tools.machine import machine_provenance
from tools.pages import RESULTS, keep, show, table
from tools.paths import CHECKOUT

RECORD = RESULTS / "class-on-emulator.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "class-on-emulator.md"
TIMES, PARTS = "times", "parts"

COUNT = 300
SANDBOXES = ("process", "bubblewrap")
COUNTED = "process"
"""The sandbox of which the processor time is known."""

CORES = 2
GOAL_SECONDS = 180.0
"""For ``COUNT`` submissions on ``CORES`` cores."""

_SHARE_BY_PART = 5

_COMMAND = """
import sys
from importlib.metadata import entry_points
(command,) = entry_points(group="console_scripts", name="grader")
sys.exit(command.load()())
"""

_SETTINGS = """
[sandbox]
kind = "{sandbox}"
[limits]
build_seconds = 15
run_seconds = 5
[scoring]
modelled_speedups = true
"""

_BY_PART = """
import json, sys, time
from collections import Counter
from pathlib import Path
import psutil
from grader.config.settings import LimitSettings
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules, submission_of
from grader.grading.submission import grade
from grader.labs.registry import discover
from grader.languages import by_suffix
from grader.model.run import EngineKind
from grader.sandbox.process import ProcessSandbox

spent = Counter()

def cpu(pid):
    times = psutil.Process(pid).cpu_times()
    return times.user + times.system

class Timed:
    def __init__(self, inner):
        self.inner = inner

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.inner.close()

    def ask(self, kind, body, expected, **limits):
        before = cpu(self.inner.pid)
        try:
            return self.inner.ask(kind, body, expected, **limits)
        finally:
            if psutil.pid_exists(self.inner.pid):
                spent[str(kind)] += cpu(self.inner.pid) - before

class TimedSandbox:
    def __init__(self, inner):
        self.inner = inner

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def worker(self, settings):
        return Timed(self.inner.worker(settings))

labs = discover()
with ProcessSandbox() as inner:
    environment = GradingEnvironment.open(
        TimedSandbox(inner), EngineKind.EMULATOR, "Tesla T4", LimitSettings(), modelled_counts=True
    )
    rungs = RungModules(environment)
    started = time.process_time()
    for folder in sorted(Path(sys.argv[1]).glob("*/*"))[::int(sys.argv[2])]:
        files = sorted(folder.iterdir(), key=lambda path: not path.name.startswith("kernels"))
        language = by_suffix()[files[0].suffix].key
        lab = labs.get(folder.parent.name)
        grade(lab, submission_of(lab, files, language, folder.name), rungs, 1)
    spent["grader"] = time.process_time() - started
print(json.dumps(spent))
"""
"""Prints the processor seconds of each kind of request in the workers, and of the grader itself."""

_NAMES = {
    "translate": "compile to PTX",
    "assemble": "assemble, for registers and spills",
    "put_inputs": "send inputs",
    "run": "check the outputs of all cases, with diagnostics, and one in another order",
    "compare": "time: the kernel and the rungs, with all counters",
    "run_blocks": "observe drawn blocks of the timed case",
    "grader": "the grader: inputs, right answers, judging",
}


def measured(commit: str, count: int, sandboxes: list[str]) -> dict[str, Any]:
    """Seconds, processor seconds and results of both commits in every sandbox, and the parts."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        extract(commit, root / "former")
        pythons = {"then": python_of(root / "former", root / "python"), "now": sys.executable}
        write_class(root / "class", count)
        write_class(root / "few", 6)
        for python in pythons.values():
            _graded(python, root / "few", root, "process")  # compiles the emulator and the rungs
        runs = {
            sandbox: {age: _graded(python, root / "class", root, sandbox) for age, python in pythons.items()}
            for sandbox in sandboxes
        }
        parts = {age: _by_part(python, root / "class") for age, python in pythons.items()}
    return {
        "provenance": machine_provenance(former=commit, present=present_name()),
        "count": count,
        "runs": runs,
        "parts": parts,
    }


def _graded(python: str, submissions: Path, root: Path, sandbox: str) -> dict[str, Any]:
    """One run of ``grader grade`` in a course of its own."""
    course = root / "course"
    shutil.rmtree(course, ignore_errors=True)
    course.mkdir()
    (course / "grader.toml").write_text(_SETTINGS.format(sandbox=sandbox), encoding="utf-8")
    options = ["--engine", "emulator", "--jobs", "2", "--trust-submissions"]
    before, started = _children_cpu(), time.monotonic()
    command = [python, "-c", _COMMAND, "grade", str(submissions), *options]
    done = subprocess.run(command, cwd=course, capture_output=True, text=True, check=False)
    seconds, cpu = time.monotonic() - started, _children_cpu() - before
    if done.returncode:
        raise RuntimeError(done.stderr)
    written = json.loads((course / "results" / "results.json").read_text(encoding="utf-8"))
    results = {each["student"]: [each["verdict"], each["score"]] for each in written["reports"]}
    return {"seconds": seconds, "cpu": cpu, "results": results}


def _by_part(python: str, submissions: Path) -> dict[str, float]:
    """Processor seconds by part, for every few submissions one after another."""
    before = _children_cpu()
    command = [python, "-c", _BY_PART, str(submissions), str(_SHARE_BY_PART)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    spent: dict[str, float] = json.loads(done.stdout)
    return spent | {"rest": _children_cpu() - before - sum(spent.values())}


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def differing(record: dict[str, Any]) -> dict[str, list[Any]]:
    """The students with another verdict or score at the other commit, or in the other sandbox."""
    runs = [run["results"] for of_sandbox in record["runs"].values() for run in of_sandbox.values()]
    return {
        student: [run[student] for run in runs]
        for student in sorted(runs[0])
        if any(run[student] != runs[0][student] for run in runs)
    }


def times_table(record: dict[str, Any]) -> str:
    """One row per sandbox and commit, under a line of provenance and of the verdicts."""
    source = record["provenance"]
    verdicts = Counter(verdict for verdict, _ in _newest(record).values())
    named = ", ".join(f"{number} {verdict}" for verdict, number in verdicts.most_common())
    known = (
        f"{record['count']} submissions of {', '.join(LABS)}: {MUTANTS:.0%} mutants, {NUMBA:.0%} in Numba. Measured on"
        f" {source['measured_at'][:10]} at commit `{source['present']}` and at `{source['former'][:7]}` on a machine"
        f" with {source['cores']} cores ({source['cpu']}, load {source['load']:.1f} after), Python {source['python']}."
        f" Now: {named}. Verdicts or scores that differ between the runs: {len(differing(record)) or 'none'}."
    )
    rows = [
        (
            sandbox,
            age,
            *(_processor_time(run["cpu"], record["count"]) if sandbox == COUNTED else ("–", "–", "–")),
            f"{run['seconds']:.0f} s",
        )
        for sandbox, of_sandbox in record["runs"].items()
        for age, run in of_sandbox.items()
    ]
    header = (
        "sandbox",
        "",
        "processor time",
        "per submission",
        f"{COUNT} on {CORES} free cores at least",
        "on the clock",
    )
    return f"{known}\n\n{table(header, rows, 2)}"


def _processor_time(cpu: float, count: int) -> tuple[str, str, str]:
    return f"{cpu:.0f} s", f"{cpu / count:.2f} s", f"{COUNT * cpu / count / CORES:.0f} s"


def parts_table(record: dict[str, Any]) -> str:
    """Processor seconds per submission by part, then and now."""
    graded = -(-record["count"] // _SHARE_BY_PART)
    then, now = (record["parts"][age] for age in ("then", "now"))
    rows = [
        (name, *(f"{of.get(part, 0.0) / graded:.3f} s" for of in (then, now)))
        for part, name in (_NAMES | {"rest": "start workers: imports once, then forks"}).items()
    ]
    return table(("part, per submission", "then", "now"), rows, 1)


def _newest(record: dict[str, Any]) -> dict[str, list[Any]]:
    newest: dict[str, list[Any]] = next(iter(record["runs"].values()))["now"]["results"]
    return newest


def least_seconds(record: dict[str, Any], age: str = "now") -> float:
    """The seconds that ``COUNT`` submissions take at least on ``CORES`` free cores."""
    cpu = float(record["runs"][COUNTED][age]["cpu"])
    return COUNT * cpu / int(record["count"]) / CORES


def main(commit: str, count: str = str(COUNT), *sandboxes: str) -> None:
    """Measure, keep the record and write the page."""
    keep(measured(full_name(commit), int(count), list(sandboxes or SANDBOXES)), RECORD)
    show(RECORD, TIMES, times_table, PAGE)
    show(RECORD, PARTS, parts_table, PAGE)


if __name__ == "__main__":
    main(*sys.argv[1:])
