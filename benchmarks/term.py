"""A term of an invented course from the first import to the last regrade, on both databases.

``python -m benchmarks.term --postgresql URL`` plays a term three times: on SQLite, in the empty database at URL, and
on SQLite with every import, grading, export and regrade killed on its way. 120 students, some with equal names, submit
to six labs; the archives are those of Moodle, Canvas and Gradescope. Every grade is compared with the rules, every
exported sheet byte by byte, and the three plays with each other. It writes ``results/term.json`` and
``tables/term.md``.
"""

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.term_class import LABS, STUDENTS, uploads
from benchmarks.term_play import Play, play
from tools import pages
from tools.machine import machine_provenance
from tools.paths import CHECKOUT

RESULTS = pages.RESULTS / "term.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "term.md"

_SQLITE, _POSTGRESQL, _KILLED = "SQLite", "PostgreSQL", "SQLite, killed"


def played(url: str | None, draw: random.Random | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Play a term in a new folder. Returns: its figures, and what it left."""
    with tempfile.TemporaryDirectory() as name:
        term = Play(folder=Path(name), url=url or f"sqlite:///{name}/store.sqlite", draw=draw)
        started = time.monotonic()
        left = play(term)
        figures = {
            "seconds": {step: round(seconds, 2) for step, seconds in term.seconds.items()},
            "commands": dict(term.commands),
            "whole": round(time.monotonic() - started, 1),
            "kills": term.kills,
        }
        return figures, left


def table(results: dict[str, Any]) -> str:
    """Seconds of each step and database under a line of provenance."""
    source, plays = results["provenance"], results["plays"]
    attempts = f"{source['uploads']} uploads of {source['students']} students to {source['labs']} labs"
    text = (
        f"Played on {source['measured_at'][:10]} at commit `{source['commit'][:7]}` on a machine with "
        f"{source['cores']} cores ({source['cpu']}, load {source['load']:.1f} before), Python {source['python']}: "
        f"{attempts}. Seconds of all commands of a step; each command is a process of its own. Other work on the same "
        "cores made them longer, and not equally."
    )
    steps = list(next(iter(plays.values()))["seconds"])
    rows = [
        (
            step,
            str(next(iter(plays.values()))["commands"][step]),
            *(f"{found['seconds'][step]:.1f} s" for found in plays.values()),
        )
        for step in steps
    ]
    rows.append(("the whole term", "", *(f"{found['whole']:.0f} s" for found in plays.values())))
    rows.append(("killed", "", *(str(found["kills"]) for found in plays.values())))
    return f"{text}\n\n{pages.table(('step', 'commands', *plays), rows, 1)}"


def main() -> None:
    """Play, compare, and write the record and the page."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--postgresql", metavar="URL", help="An empty database.")
    options.add_argument("--seed", type=int, default=1, help="Of the moments at which commands are killed.")
    given = options.parse_args()
    provenance = machine_provenance(
        students=STUDENTS, labs=len(LABS), uploads=sum(len(each.members) for each in uploads())
    )
    wanted = {_SQLITE: (None, None), _POSTGRESQL: (given.postgresql, None)}
    if not given.postgresql:
        del wanted[_POSTGRESQL]
    plays, left = {}, {}
    for name, (url, draw) in {**wanted, _KILLED: (None, random.Random(given.seed))}.items():
        plays[name], left[name] = played(url, draw)
        sys.stderr.write(f"{name}: {plays[name]['whole']} s\n")
    if any(each != left[_SQLITE] for each in left.values()):
        msg = "the plays differ"
        raise RuntimeError(msg)
    results = {"schema_version": 1, "provenance": provenance, "plays": plays}
    pages.keep(results, RESULTS)
    pages.write({"term": table(results)}, PAGE)
    sys.stdout.write(f"{table(results)}\n")


if __name__ == "__main__":
    main()
