"""The emulator's processor time at a former commit and at this one, measured in turns on a machine that may be busy.

``python -m benchmarks.speed_between_commits COMMIT [ROUNDS]`` runs the workloads of ``make bench`` in processes of
either commit, alternately in the order former, present, present, former, and writes
``benchmarks/results/emulator-speed-change.json`` and the table into ``benchmarks/tables/emulator-speed.md``. Both run
with the packages of this environment, on one core. Compared is processor time, which other processes change less than
the time on the clock.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.former_commit import extract, full_name, present_name
from tools.pages import RESULTS, keep, show, table
from tools.paths import CHECKOUT

RECORD = RESULTS / "emulator-speed-change.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "emulator-speed.md"
SECTION = "change"

ROUNDS = 10

MOST = 1.10
"""The most that the present commit's processor time may be of the former one's."""

_MEASURE = """
import json, time
from benchmarks.workloads import product
from grader.model.devices import TESLA_T4
from grader.model.run import RunOptions
from tools.emulator.compiling import engine_for

engine = engine_for(TESLA_T4)
found = {}
for kind, size, repeats in [("naive", 256, 5), ("tiled", 256, 5), ("naive", 32, 50)]:
    job = product(kind, size)
    for diagnostics in (False, True):
        options = RunOptions(diagnostics=diagnostics, timeout=120, cores=1)
        seconds = []
        for _ in range(repeats + 1):
            started = time.process_time()
            assert engine.run(job, options).fault is None
            seconds.append(time.process_time() - started)
        what = "all diagnostics" if diagnostics else "no diagnostics"
        found[f"{kind} matrix product, {size}\\u00b3, {what}"] = min(seconds[1:])
print(json.dumps(found))
"""
"""Prints the least processor seconds of several runs, by workload; the first of each only warms up."""


def measured(commit: str, rounds: int) -> dict[str, Any]:
    """Processor seconds of both commits in every round, by workload."""
    with tempfile.TemporaryDirectory() as folder:
        former = Path(folder)
        extract(commit, former)
        for checkout in (former, CHECKOUT):
            _seconds(checkout)  # Compiles the interpreter where nothing did so before.
        pairs = [_pair(former, swapped=bool(number % 2)) for number in range(rounds)]
    return {
        "former": commit,
        "present": present_name(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "seconds": {name: [[one[name], other[name]] for one, other in pairs] for name in pairs[0][0]},
    }


def _pair(former: Path, *, swapped: bool) -> tuple[dict[str, float], dict[str, float]]:
    if swapped:
        present = _seconds(CHECKOUT)
        return _seconds(former), present
    return _seconds(former), _seconds(CHECKOUT)


def _seconds(checkout: Path) -> dict[str, float]:
    environment = os.environ | {"PYTHONPATH": str(checkout)}
    done = subprocess.run(
        [sys.executable, "-c", _MEASURE],
        cwd=checkout,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def ratios(record: dict[str, Any]) -> dict[str, list[float]]:
    """The present commit's processor time over the former one's in every round, in rising order, by workload."""
    return {name: sorted(now / then for then, now in pairs) for name, pairs in record["seconds"].items()}


def change_table(record: dict[str, Any]) -> str:
    """One row per workload, under a line of provenance."""
    rows = list(_rows(record))
    rounds = len(next(iter(record["seconds"].values())))
    source = (
        f"Commit `{record['present']}` over `{record['former'][:7]}`, {rounds} rounds on a machine with"
        f" {record['cores']} cores, Python {record['python']}."
    )
    header = ("what", "then", "now", "now over then", "lowest", "highest")
    return f"{source}\n\n{table(header, rows, 1)}"


def _rows(record: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    for name, found in ratios(record).items():
        then, now = (median(column) for column in zip(*record["seconds"][name], strict=True))
        times = (f"{seconds * 1000:.3g} ms" for seconds in (then, now))
        yield name, *times, f"**{median(found):.2f}**", f"{found[0]:.2f}", f"{found[-1]:.2f}"


def main(commit: str, rounds: str = str(ROUNDS)) -> None:
    """Measure, keep the record and write the table."""
    keep(measured(full_name(commit), int(rounds)), RECORD)
    show(RECORD, SECTION, change_table, PAGE)


if __name__ == "__main__":
    main(*sys.argv[1:])
