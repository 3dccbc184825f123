"""How much sooner a class is graded on all GPUs of a host than on one, through the queue.

``python -m benchmarks.several_gpus`` submits a mixed class of 300 (see ``benchmarks.mixed_class``) to a new store,
grades it on one GPU, then again on all, and writes ``results/several-gpus.json``. Efficiency is the speed-up over the
number of GPUs. The verdicts of both runs must be the same. ``--lab NAME`` takes only this lab (repeatable),
``--count N`` another number.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.mixed_class import LABS, write_class
from grader.config.settings import Config, StoreSettings
from grader.execution.devices import gpu_devices
from grader.store.sql_store import open_store
from tools import pages
from tools.machine import machine_provenance

RESULTS = pages.RESULTS / "several-gpus.json"
GOAL = 0.9


def measure(folder: Path, devices: list[str]) -> tuple[float, dict[tuple[str, str], str]]:
    """Seconds to grade the class in ``folder`` on ``devices``, and the verdict of each student and lab."""
    store = folder / f"store-{len(devices)}.sqlite"
    (folder / "grader.toml").write_text(
        f'[store]\nurl = "sqlite:///{store}"\n[engine]\nkind = "cuda"\n[execution]\ndevices = {devices!r}\n',
        encoding="utf-8",
    )
    _grader(folder, "queue", "submit", "class", "--trust-submissions")
    started = time.monotonic()
    _grader(folder, "workers", "start", "--until-empty")
    seconds = time.monotonic() - started
    opened = open_store(Config(base=folder, store=StoreSettings(url=f"sqlite:///{store}")))
    verdicts = {
        (score.key.student, score.key.lab): score.verdict.value for score in opened.scores.latest_all()
    }
    opened.close()
    sys.stdout.write(f"{len(verdicts)} submissions on {len(devices)} GPUs: {seconds:.1f} s\n")
    return seconds, verdicts


def _grader(folder: Path, *arguments: str) -> None:
    code = "from grader.cli.app import main; main()"
    subprocess.run([sys.executable, "-c", code, *arguments], cwd=folder, check=True, stdout=sys.stderr)


def main() -> int:
    """Measure, and write the record. Returns: 1 if the goal was missed, or verdicts differ."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--lab", action="append", default=None)
    options.add_argument("--count", type=int, default=300)
    given = options.parse_args()
    labs = given.lab or LABS
    devices = gpu_devices()
    ids = [device.id for device in devices]
    if len(ids) < 2:
        sys.stderr.write(f"This host has {len(ids)} GPUs; two are needed.\n")
        return 1
    provenance = machine_provenance(devices=[device.model for device in devices])
    with tempfile.TemporaryDirectory() as folder:
        write_class(Path(folder) / "class", given.count, names=labs)
        one, verdicts = measure(Path(folder), ids[:1])
        several, again = measure(Path(folder), ids)
    efficiency = one / (len(ids) * several)
    record: dict[str, Any] = {
        "schema_version": 1,
        "provenance": provenance,
        "labs": list(labs),
        "count": given.count,
        "seconds_on_one": one,
        "seconds_on_all": several,
        "efficiency": efficiency,
        "different_verdicts": sum(verdicts[work] != again.get(work) for work in verdicts),
    }
    pages.keep(record, RESULTS)
    sys.stdout.write(f"{record}\n")
    return int(efficiency < GOAL or record["different_verdicts"] > 0 or len(verdicts) != given.count)


if __name__ == "__main__":
    sys.exit(main())
