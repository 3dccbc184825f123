"""How well the dispatcher keeps many devices busy, and what one job costs the server.

``python -m benchmarks.dispatch_scaling`` lets fake devices take the times of submissions that were recorded on a GPU
(``results/gpu-sandboxes.json``), four times as fast, with the queue in an SQLite file. It writes
``results/dispatch-scaling.json`` and ``tables/queue.md``.
"""

import itertools
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from grader.config.settings import Config, StoreSettings
from grader.execution.dispatcher import Dispatcher
from grader.model.needs import ComputeDevice
from grader.store.job_values import JobState
from grader.store.sql_store import open_store
from tools import pages
from tools.fake_executor import FakeExecutor
from tools.fake_jobs import FakeHandler, submit
from tools.fake_work import Order
from tools.machine import machine_provenance
from tools.paths import CHECKOUT

RESULTS = pages.RESULTS / "dispatch-scaling.json"
RECORDED = pages.RESULTS / "gpu-sandboxes.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "queue.md"

DEVICES = (2, 64)
JOBS_PER_DEVICE = 20
SPEED, MOST_SECONDS = 4.0, 40.0
EFFICIENCY, COST_SECONDS = 0.9, 0.010


def recorded_seconds() -> list[float]:
    """What submissions took on a GPU, ``SPEED`` times as fast.

    Those that failed at once are left out, and one that took a minute, so that the end of a run says little.
    """
    (first, *_) = json.loads(RECORDED.read_text(encoding="utf-8"))["runs"]
    found = [each["seconds"] for each in first["sandboxes"]["docker"]["submissions"]]
    return [seconds / SPEED for seconds in found if 1.0 < seconds <= MOST_SECONDS]


def measure(count: int, times: list[float]) -> dict[str, Any]:
    """Run the jobs of ``count`` devices."""
    devices = [ComputeDevice(id=f"GPU-{number}", engine="cuda", model="Fake") for number in range(count)]
    total = count * JOBS_PER_DEVICE
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/store.sqlite"
        store = open_store(Config(base=Path("/nonexistent"), store=StoreSettings(url=url)))
        for number, seconds in zip(range(total), itertools.cycle(times), strict=False):
            submit(store, f"student-{number}", Order(seconds=seconds))
        executor = FakeExecutor(devices)
        left = total
        computed, started = time.process_time(), time.monotonic()
        with Dispatcher(store, executor, FakeHandler(store)) as dispatcher:
            while left:
                left -= len(dispatcher.step(0.2))
        seconds, cpu = time.monotonic() - started, time.process_time() - computed
        assert len(store.jobs.list([JobState.DONE])) == total
        store.close()
    return {
        "devices": count,
        "jobs": total,
        "seconds": seconds,
        "efficiency": executor.busy_seconds / (count * seconds),
        "cpu_seconds_a_job": cpu / total,
    }


def table(record: dict[str, Any]) -> str:
    """Efficiency and cost under a line of provenance."""
    source = record["provenance"]
    text = (
        f"Measured on {source['measured_at'][:10]} at commit `{source['commit'][:7]}` on a machine with "
        f"{source['cores']} cores ({source['cpu']}, load {source['load']:.1f} before), Python {source['python']}, "
        f"with {source['recorded']} recorded times of {source['mean_seconds']:.2f} s on average, "
        f"{JOBS_PER_DEVICE} jobs a device."
    )
    rows = [
        (
            str(each["devices"]),
            str(each["jobs"]),
            f"{each['seconds']:.1f} s",
            f"{each['efficiency']:.3f}",
            f"{1000 * each['cpu_seconds_a_job']:.1f} ms",
        )
        for each in record["runs"]
    ]
    header = ("devices", "jobs", "all jobs", "efficiency", "server's CPU a job")
    return f"{text}\n\n{pages.table(header, rows, 0)}"


def main() -> None:
    """Measure, and write the record and the page."""
    times = recorded_seconds()
    provenance = machine_provenance(recorded=len(times), mean_seconds=sum(times) / len(times))
    runs = [measure(count, times) for count in DEVICES]
    record = {"schema_version": 1, "provenance": provenance, "runs": runs}
    pages.keep(record, RESULTS)
    pages.write({"devices": table(record)}, PAGE)
    sys.stdout.write(f"{table(record)}\n")
    missed = [
        str(run["devices"])
        for run in runs
        if run["efficiency"] < EFFICIENCY or run["cpu_seconds_a_job"] > COST_SECONDS
    ]
    sys.stdout.write(f"goals missed with devices: {', '.join(missed) or 'none'}\n")


if __name__ == "__main__":
    main()
