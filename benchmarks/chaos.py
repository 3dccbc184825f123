"""Rounds of 200 jobs under Slurm and on a second host, while workers, pools and the server are killed.

``SLURM_CONF=$(.ci/start-slurm) python -m benchmarks.chaos`` runs 30 rounds, as root, in about an hour, and writes
``results/chaos.json`` and ``tables/queue.md`` after each. ``--rounds N`` runs fewer. With ``--add`` the rounds of the
record stay, and the next ones kill at other points: 30 rounds may be run in pieces. Each round has its commit.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, fields
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

_NAMES = [field.name for field in fields(ChaosResult)]


def table(record: dict[str, Any]) -> str:
    """What all rounds showed together, under a line of provenance."""
    source, rounds = record["provenance"], record["rounds"]

    def total(name: str) -> int:
        return sum(each[name] for each in rounds)

    kills = {
        kind: sum(each["kills"].get(kind, 0) for each in rounds) for kind in ("worker", "pool", "server")
    }
    commits = dict.fromkeys(each["commit"][:7] for each in rounds)
    text = (
        f"Run until {source['measured_at'][:10]} at {', '.join(f'`{commit}`' for commit in commits)} on a machine with "
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


def former_rounds(path: Path) -> list[dict[str, Any]]:
    """The rounds of the record at ``path``, with the commit of each; none where there is no record."""
    if not path.is_file():
        return []
    record = json.loads(path.read_text(encoding="utf-8"))
    return [{"commit": record["provenance"]["commit"], **each} for each in record["rounds"]]


def is_right(rounds: Sequence[dict[str, Any]]) -> bool:
    """Whether every round was right."""
    return all(ChaosResult(**{name: each[name] for name in _NAMES}).is_right for each in rounds)


def main(arguments: Sequence[str]) -> int:
    """Run the rounds, and write the record and the page. Returns: 1 if a round was not right."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=ROUNDS)
    options.add_argument("--add", action="store_true")
    given = options.parse_args(arguments)
    provenance = machine_provenance(jobs=JOBS, kills=KILLS)
    rounds = former_rounds(RESULTS) if given.add else []
    for seed in range(len(rounds), len(rounds) + given.rounds):
        with tempfile.TemporaryDirectory() as folder:
            result = chaos(Path(folder), JOBS, KILLS, seed, DEADLINE_SECONDS)
        sys.stdout.write(f"{result}\n")
        sys.stdout.flush()
        rounds.append({"commit": provenance["commit"], **asdict(result)})
        record = {"schema_version": 1, "provenance": provenance, "rounds": rounds}
        pages.keep(record, RESULTS)
        pages.write({"chaos": table(record)}, PAGE)
    return 0 if is_right(rounds) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
