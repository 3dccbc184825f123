"""How long commands take to start, and what an installation brings.

``python -m benchmarks.startup`` runs each command in processes of its own, writes ``results/startup.json`` and the
tables in ``benchmarks/tables/startup.md``. ``--rounds N``: how often. CPU time is that of the command and of its
workers, user and system. Run it on a machine that does nothing else.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import pages
from tools.machine import machine_provenance
from tools.paths import CHECKOUT

RESULTS = pages.RESULTS / "startup.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "startup.md"
ROUNDS = 5
SHOWN_PACKAGES = 20

COMMANDS: dict[str, tuple[Sequence[str], float, float | None]] = {
    "grader --version": (("--version",), 0.3, None),
    "grader labs": (("labs",), 0.5, None),
    "grader check, CUDA C": (("check", "reference/row-sum/shared.cu", "--lab", "row-sum"), 1.5, 1.5),
    "grader check, Numba": (("check", "reference/row-sum/shared.py", "--lab", "row-sum"), 2.0, 2.0),
}
"""By name: the arguments, and the most seconds of CPU and of wall time that are the target."""


def once(arguments: Sequence[str]) -> tuple[float, float]:
    """Seconds of CPU and of wall time of one run."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    code = "from grader.cli.app import main; main()"
    subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=CHECKOUT, check=True, stdout=subprocess.DEVNULL
    )
    wall, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def measure(rounds: int) -> list[dict[str, Any]]:
    """A record for each command; its first run, which may fill caches, does not count."""
    figures = []
    for name, (arguments, most_cpu, most_wall) in COMMANDS.items():
        once(arguments)
        runs = [once(arguments) for _ in range(rounds)]
        figures.append(
            {
                "command": name,
                "arguments": list(arguments),
                "cpu": [round(cpu, 3) for cpu, _ in runs],
                "wall": [round(wall, 3) for _, wall in runs],
                "target_cpu": most_cpu,
                "target_wall": most_wall,
            }
        )
    return figures


def installed() -> list[dict[str, Any]]:
    """Every package that ``pip install grader`` brings, with its size in bytes, the largest first."""
    sizes = []
    names = {key.partition("[")[0] for key in _required(Requirement("grader"), {})}
    for name in sorted(names):
        found = distribution(name)
        paths = [Path(str(found.locate_file(file))) for file in found.files or ()]
        size = sum(path.stat().st_size for path in paths if path.is_file())
        sizes.append({"name": found.name, "version": found.version, "bytes": size})
    return sorted(sizes, key=lambda entry: -entry["bytes"])


def _required(requirement: Requirement, known: dict[str, None]) -> dict[str, None]:
    """The names of what ``requirement`` brings, itself included, added to ``known``."""
    key = f"{canonicalize_name(requirement.name)}[{','.join(sorted(requirement.extras))}]"
    if key in known:
        return known
    known[key] = None
    for line in distribution(requirement.name).requires or ():
        needed = Requirement(line)
        extras = requirement.extras or {""}
        if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in extras):
            _required(needed, known)
    return known


def startup_table(results: dict[str, Any]) -> str:
    """Minimum and median of each command under a line of provenance."""
    source = results["provenance"]
    measured = (
        f"Measured on {source['measured_at'][:10]} at commit `{source['commit'][:7]}` on a machine with "
        f"{source['cores']} cores ({source['cpu']}, load {source['load']:.1f} before), Linux {source['kernel']}, "
        f"Python {source['python']}; {source['rounds']} runs each after a first one that does not count."
    )
    rows = [
        (
            f"`{figure['command']}`",
            *(f"{pick(figure[kind]):.2f} s" for kind in ("cpu", "wall") for pick in (min, statistics.median)),
            ", ".join(
                f"{figure[f'target_{kind}']:g} s {kind}"
                for kind in ("cpu", "wall")
                if figure[f"target_{kind}"] is not None
            ),
        )
        for figure in results["figures"]
    ]
    header = ("command", "CPU, least", "CPU, median", "wall, least", "wall, median", "target")
    return f"{measured}\n\n{pages.table(header, rows, 1)}"


def size_table(results: dict[str, Any]) -> str:
    """The largest packages, and the sum of all."""
    packages = results["packages"]
    total = sum(entry["bytes"] for entry in packages)
    rows = [
        (entry["name"], entry["version"], f"{entry['bytes'] / 1e6:,.1f} MB")
        for entry in packages[:SHOWN_PACKAGES]
    ]
    rest = sum(entry["bytes"] for entry in packages[SHOWN_PACKAGES:])
    rows += [
        (f"{len(packages) - SHOWN_PACKAGES} others", "", f"{rest / 1e6:,.1f} MB"),
        ("all", "", f"{total / 1e6:,.1f} MB"),
    ]
    return pages.table(("package", "version", "size"), rows, 2)


def main() -> None:
    """Measure, and write the record and the page."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=ROUNDS)
    given = options.parse_args()
    provenance = machine_provenance(rounds=given.rounds)
    results = {
        "schema_version": 1,
        "provenance": provenance,
        "figures": measure(given.rounds),
        "packages": installed(),
    }
    pages.keep(results, RESULTS)
    pages.write({"startup": startup_table(results), "sizes": size_table(results)}, PAGE)


if __name__ == "__main__":
    main()
