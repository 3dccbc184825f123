"""What programs cost on the emulator, and which seeded faults of host code are found at their lines.

``python -m benchmarks.programs`` runs ``grader run`` in processes of its own, writes ``results/programs.json`` and two
sections of ``tables/programs.md``. ``--rounds N``: how often; ``--faults``: the faults alone. CPU time is that of all
processes, user and system; memory is the largest sum of the proportional set sizes of all processes. Run it on a
machine that does nothing else.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.model.devices import H200
from grader.programs.build import Sources, build
from grader.programs.run import RunRequest, run
from grader.programs.toolchain import find_toolchain
from tools import pages
from tools.machine import machine_provenance
from tools.paths import CHECKOUT
from tools.seeded_faults import cases, expected

RESULTS = pages.RESULTS / "programs.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "programs.md"
ROUNDS = 5
_SOURCES = CHECKOUT / "benchmarks" / "program_sources"
_FAULTS = CHECKOUT / "tests" / "programs" / "data"
_FEW, _MANY = 10, 2010
_FLOATS = 1 << 24
_ARRAYS = 6
_MIB = 1 << 20
_POLL_SECONDS = 0.02
_OF_DEVICES = "device_faults.cu"
_SEEDED = ("faults.cu", "stream_races.cu", "graph_faults.cu", _OF_DEVICES)
_ENDLESS = {("faults.cu", "43")}
"""Cases that the time limit ends; tests have them."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of CPU and of wall time, and MiB of memory, of one run."""

    cpu: float
    wall: float
    memory: float


def once(source: Path, *arguments: str, fast: bool = False) -> Cost:
    """What one run costs. Raises: ``SystemExit`` where it fails."""
    options = ["--trust", *(["--fast"] if fast else []), "--", *arguments]
    code = "from grader.cli.app import main; main()"
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with subprocess.Popen(
        [sys.executable, "-c", code, "run", str(source), *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=CHECKOUT,
    ) as process:
        memory = 0
        while process.poll() is None:
            memory = max(memory, sum(_proportional_bytes(each) for each in _family(process.pid)))
            time.sleep(_POLL_SECONDS)
    wall, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode:
        sys.exit(f"{source.name} ends with {process.returncode}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(cpu, wall, memory / _MIB)


def _family(pid: int) -> Iterator[int]:
    """A process and all its descendants."""
    yield pid
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:
        return
    for child in children:
        yield from _family(int(child))


def _proportional_bytes(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:")), 0)


def _first_time() -> Cost:
    """A program that was never compiled before: its first line is new."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "vector_add.cu"
        text = (_SOURCES / source.name).read_text(encoding="utf-8")
        source.write_text(f"// {os.urandom(16).hex()}\n{text}", encoding="utf-8")
        return once(source)


def _a_launch() -> Cost:
    """One of many launches, without what the program costs besides."""
    few, many = (once(_SOURCES / "launches.cu", str(count)) for count in (_FEW, _MANY))
    launches = _MANY - _FEW
    return Cost((many.cpu - few.cpu) / launches, (many.wall - few.wall) / launches, many.memory)


def _reduction(*, fast: bool) -> Callable[[], Cost]:
    return lambda: once(_SOURCES / "two_stream_reduction.cu", "25", fast=fast)


FIGURES: dict[str, tuple[Callable[[], Cost], str, float]] = {
    "a launch": (_a_launch, "wall", 0.6e-3),
    "vector add, first time": (_first_time, "wall", 3.0),
    "vector add, again": (lambda: once(_SOURCES / "vector_add.cu"), "wall", 1.0),
    "sum of 2^25 floats in two streams, `--fast`": (_reduction(fast=True), "wall", 3.0),
    "sum of 2^25 floats in two streams, all findings": (_reduction(fast=False), "wall", 6.0),
    "vector add of 2^24 floats: memory": (
        lambda: once(_SOURCES / "vector_add.cu", str(_FLOATS)),
        "memory",
        3 * _ARRAYS * 4 * _FLOATS / _MIB + 400,
    ),
}
"""By name: how it is measured, and the quantity that has a target, in seconds or MiB."""


def measure(rounds: int) -> list[dict[str, Any]]:
    """A record for each figure; a first run, which may fill caches, does not count."""
    found = []
    for name, (measured, kind, most) in FIGURES.items():
        measured()
        runs = [measured() for _ in range(rounds)]
        kinds = ("cpu", "wall", "memory")
        found.append(
            {
                "name": name,
                **{each: [round(getattr(cost, each), 6) for cost in runs] for each in kinds},
                "target": {kind: most},
            }
        )
    return found


def faults() -> list[dict[str, Any]]:
    """A record for each seeded fault: what must be found, and whether it was found at its line."""
    toolchain, records = find_toolchain(), []
    for program in (_FAULTS / name for name in _SEEDED):
        sources = Sources(files={program.name: program.read_bytes()})
        built = build(sources, toolchain)
        for number in cases(program):
            wanted = expected(program, number)
            if not wanted or (program.name, number) in _ENDLESS:
                continue
            devices = 2 if program.name == _OF_DEVICES else 1
            asked = RunRequest(device=H200, arguments=(number,), devices=devices)
            done = run(built, sources, asked, _silent)
            found = {(each.message.code, each.line) for each in done.diagnostics}
            records += [
                {
                    "program": program.name,
                    "case": number,
                    "code": code,
                    "line": line,
                    "found": (code, line) in found,
                }
                for code, line in sorted(wanted)
            ]
    return records


@contextmanager
def _silent(
    command: Sequence[str], folder: Path, variables: Mapping[str, str], inherited: Sequence[int]
) -> Iterator["subprocess.Popen[bytes]"]:
    """Start a program that prints to nowhere."""
    with subprocess.Popen(
        command,
        env={**os.environ, **variables},
        pass_fds=inherited,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
    ) as process:
        yield process


def cost_table(record: dict[str, Any]) -> str:
    """Least and median of each figure, under a line of provenance."""
    source = record["provenance"]
    measured = (
        f"Measured on {source['measured_at'][:10]} at commit `{source['commit'][:7]}` on a machine with "
        f"{source['cores']} cores ({source['cpu']}, load {source['load']:.1f} before), Linux {source['kernel']}, "
        f"Python {source['python']}; {source['rounds']} runs each after a first one that does not count."
    )
    rows = [
        (
            figure["name"],
            *(
                _shown(pick(figure[kind]), kind)
                for kind in ("cpu", "wall")
                for pick in (min, statistics.median)
            ),
            _shown(max(figure["memory"]), "memory"),
            ", ".join(f"{_shown(most, kind)} {kind}" for kind, most in figure["target"].items()),
        )
        for figure in record["figures"]
    ]
    header = ("what", "CPU, least", "CPU, median", "wall, least", "wall, median", "memory, most", "target")
    return f"{measured}\n\n{pages.table(header, rows, 1)}"


def _shown(value: float, kind: str) -> str:
    if kind == "memory":
        return f"{value:,.0f} MiB"
    return f"{value:.2f} s" if value >= 0.1 else f"{1e3 * value:.2f} ms"


def fault_table(records: Sequence[dict[str, Any]]) -> str:
    """How many faults of each kind are seeded, and how many are found at their lines."""
    by_code: dict[str, list[bool]] = {}
    for record in records:
        by_code.setdefault(record["code"], []).append(record["found"])
    rows = [(f"`{code}`", str(len(found)), str(sum(found))) for code, found in sorted(by_code.items())]
    total = [found for each in by_code.values() for found in each]
    rows.append(("all", str(len(total)), str(sum(total))))
    return pages.table(("finding", "seeded", "found at the line"), rows, 1)


def main() -> None:
    """Measure, and write the record and the page."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=ROUNDS)
    options.add_argument("--faults", action="store_true")
    given = options.parse_args()
    record: dict[str, Any] = {"schema_version": 1}
    if RESULTS.exists():
        record = json.loads(RESULTS.read_text(encoding="utf-8"))
    record["faults"] = faults()
    if not given.faults:
        record["provenance"] = machine_provenance(rounds=given.rounds)
        record["figures"] = measure(given.rounds)
    pages.keep(record, RESULTS)
    sections = {"faults": fault_table(record["faults"])}
    if "figures" in record:
        sections["costs"] = cost_table(record)
    pages.write(sections, PAGE)


if __name__ == "__main__":
    main()
