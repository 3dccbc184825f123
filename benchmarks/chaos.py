"""Rounds of 200 jobs under Slurm and on a second host, while workers, pools and the server are killed.

``SLURM_CONF=$(.ci/start-slurm) python -m benchmarks.chaos`` runs 30 rounds, as root, in about an hour, and writes
``results/chaos.json`` and ``tables/queue.md`` after each. ``--rounds N`` runs fewer.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tools import pages
from tools.chaos import ChaosResult, chaos
from tools.machine import machine_provenance
from tools.paths import CHECKOUT

RESULTS = pages.RESULTS / "chaos.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "queue.md"

ROUNDS, JOBS, KILLS = 30, 200, 9
DEADLINE_SECONDS = 600.0


def table(record: dict[str, Any]) -> str:
    """What all rounds showed together, under a line of provenance."""
    source, rounds = record["provenance"], record["rounds"]

    def total(name: str) -> int:
        return sum(each[name] for each in rounds)

    kills = {
        kind: sum(each["kills"].get(kind, 0) for each in rounds) for kind in ("worker", "pool", "server")
    }
    text = (
        f"Run on {source['measured_at'][:10]} at commit `{source['commit'][:7]}` on a machine with "
        f"{source['cores']} cores ({source['cpu']}, load {source['load']:.1f} before): "
        f"{len(rounds)} rounds on four fake GPUs under Slurm "
        f"and one of a second host. Killed with SIGKILL: {kills['worker']} workers, {kills['pool']} pools, "
        f"{kills['server']} times the server."
    )
    rows = [
        ("jobs", str(total("jobs"))),
        ("with a result", str(total("recorded"))),
        ("with two results", str(total("doubled"))),
        ("attempts", str(total("attempts"))),
        ("attempts on a device that another used", str(total("shared"))),
        ("urgent jobs that waited for others", str(total("late_urgent"))),
        ("jobs that lost three attempts and were retried by hand", str(total("retried"))),
        ("processes left 60 s after the last kill", str(total("left"))),
        ("longest time until none was left", f"{max(each['orphan_seconds'] for each in rounds):.1f} s"),
    ]
    return f"{text}\n\n{pages.table(('what', 'count'), rows, 1)}"


def main(arguments: Sequence[str]) -> int:
    """Run the rounds, and write the record and the page. Returns: 1 if a round was not right."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=ROUNDS)
    given = options.parse_args(arguments)
    provenance = machine_provenance(jobs=JOBS, kills=KILLS)
    results: list[ChaosResult] = []
    for seed in range(given.rounds):
        with tempfile.TemporaryDirectory() as folder:
            results.append(chaos(Path(folder), JOBS, KILLS, seed, DEADLINE_SECONDS))
        sys.stdout.write(f"{results[-1]}\n")
        sys.stdout.flush()
        record = {"schema_version": 1, "provenance": provenance, "rounds": [asdict(each) for each in results]}
        pages.keep(record, RESULTS)
        pages.write({"chaos": table(record)}, PAGE)
    return 0 if all(result.is_right for result in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
