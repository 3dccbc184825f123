"""How much sooner a class is graded on all GPUs of a host than on one, through the queue.

``python -m benchmarks.several_gpus`` submits 300 mixed submissions of a lab to a new store, grades them on one GPU,
then again on all, and writes ``results/several-gpus.json``. Efficiency is the speed-up over the number of GPUs. The
verdicts of both runs must be the same. ``--lab NAME`` takes another lab than row-sum, ``--count N`` another number.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from grader.config.settings import Config, StoreSettings
from grader.execution.devices import gpu_devices
from grader.store.sql_store import open_store
from tools import pages
from tools.machine import machine_provenance
from tools.paths import CHECKOUT

RESULTS = pages.RESULTS / "several-gpus.json"
GOAL = 0.9


def make_class(folder: Path, lab: str, count: int) -> None:
    """``count`` submissions: those that are shipped and the lab's mutants, in turn, each with a line of its own."""
    shipped = sorted((CHECKOUT / "submissions" / lab).glob("*.cu"))
    mutants = sorted((CHECKOUT / "assignments" / lab / "mutants").glob("*.cu"))
    sources = [path.read_text(encoding="utf-8") for path in (*shipped, *mutants)]
    target = folder / "class" / lab
    target.mkdir(parents=True)
    for number in range(count):
        text = f"{sources[number % len(sources)]}\n// submission {number}\n"
        (target / f"student-{number:03}.cu").write_text(text, encoding="utf-8")


def measure(folder: Path, lab: str, devices: list[str]) -> tuple[float, dict[str, str]]:
    """Seconds to grade the class in ``folder`` on ``devices``, and the verdict of each student."""
    store = folder / f"store-{len(devices)}.sqlite"
    (folder / "grader.toml").write_text(
        f'[store]\nurl = "sqlite:///{store}"\n[engine]\nkind = "cuda"\n[execution]\ndevices = {devices!r}\n',
        encoding="utf-8",
    )
    _grader(folder, "queue", "submit", "class", "--lab", lab, "--trust-submissions")
    started = time.monotonic()
    _grader(folder, "workers", "start", "--until-empty")
    seconds = time.monotonic() - started
    opened = open_store(Config(base=folder, store=StoreSettings(url=f"sqlite:///{store}")))
    verdicts = {score.key.student: score.verdict.value for score in opened.scores.latest_all()}
    opened.close()
    return seconds, verdicts


def _grader(folder: Path, *arguments: str) -> None:
    code = "from grader.cli.app import main; main()"
    subprocess.run([sys.executable, "-c", code, *arguments], cwd=folder, check=True, stdout=sys.stderr)


def main() -> int:
    """Measure, and write the record. Returns: 1 if the goal was missed, or verdicts differ."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--lab", default="row-sum")
    options.add_argument("--count", type=int, default=300)
    given = options.parse_args()
    devices = gpu_devices()
    ids = [device.id for device in devices]
    if len(ids) < 2:
        sys.stderr.write(f"This host has {len(ids)} GPUs; two are needed.\n")
        return 1
    provenance = machine_provenance(devices=[device.model for device in devices])
    with tempfile.TemporaryDirectory() as folder:
        make_class(Path(folder), given.lab, given.count)
        one, verdicts = measure(Path(folder), given.lab, ids[:1])
        several, again = measure(Path(folder), given.lab, ids)
    efficiency = one / (len(ids) * several)
    record: dict[str, Any] = {
        "schema_version": 1,
        "provenance": provenance,
        "lab": given.lab,
        "count": given.count,
        "seconds_on_one": one,
        "seconds_on_all": several,
        "efficiency": efficiency,
        "different_verdicts": sum(verdicts[student] != again.get(student) for student in verdicts),
    }
    pages.keep(record, RESULTS)
    sys.stdout.write(f"{record}\n")
    return int(efficiency < GOAL or record["different_verdicts"] > 0 or len(verdicts) != given.count)


if __name__ == "__main__":
    sys.exit(main())
