"""What the emulator finds in Indigo, a suite of CUDA codes with planted bugs.

``python -m benchmarks.indigo FOLDER`` takes the folder of a generated suite: ``generate_suite.py`` of
https://github.com/burtscher/IndigoSuite writes the codes into ``CUDA/``. Nothing of the suite is part of this
repository. Each code's kernel runs on six graphs with all diagnostics. The file's name says which bugs are planted; the
table compares that with the findings. ``--draw N`` takes N codes at random, ``--types`` chooses their data types,
``--keep`` writes ``results/indigo.json`` and ``tables/indigo.md``.
"""

import argparse
import random
import statistics
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.indigo_suite import BOUNDS_TAG, RACE_TAGS, SMALL, TYPES, Code, Graph, codes, graphs
from grader.model.diagnostic import DiagnosticKind, Severity
from grader.model.run import RunOptions
from tools import pages
from tools.emulator.compiling import InOut, Ran, run_cuda
from tools.machine import machine_provenance
from tools.paths import CHECKOUT

RESULTS = pages.RESULTS / "indigo.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "indigo.md"

BLOCKS, THREADS = 1024, 256
_WORD = 4
RACES = (DiagnosticKind.GLOBAL_RACE, DiagnosticKind.SHARED_RACE, DiagnosticKind.LANE_HAZARD)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One run. ``problem`` is why there was none: the code did not build, or the launch failed otherwise."""

    code: str
    tags: tuple[str, ...]
    dtype: str
    graph: str
    vertices: int
    race: bool
    has_mark: bool
    at_mark: bool
    out_of_bounds: bool
    seconds: float
    problem: str = ""

    @property
    def is_racy(self) -> bool:
        """Whether a race is planted."""
        return bool(RACE_TAGS & set(self.tags))


@dataclass(frozen=True, slots=True)
class Tally:
    """How many of some ``codes`` have a finding on at least one of the ``graphs``."""

    graphs: str
    codes: str
    finding: str
    found: int
    of: int


def run(code: Code, graph: Graph, seed: int = 1) -> Outcome:
    """Run a code's kernel on a graph, with the suite's ranges of input values."""
    dtype, draw = TYPES[code.dtype], np.random.default_rng(seed)
    edges = max(len(graph.neighbours), 1)
    size = max(graph.vertices, edges)
    values = [draw.integers(0, high, size).astype(dtype) for high in (graph.vertices, edges)]
    for array in values:
        array[0] = 0
    started = time.perf_counter()
    try:
        ran = run_cuda(
            code.source,
            BLOCKS,
            THREADS,
            {
                "nindex": graph.index,
                "nlist": graph.neighbours if len(graph.neighbours) else np.zeros(1, np.int32),
                "data1": InOut(_in_words(values[0])),
                "data2": InOut(_in_words(values[1])),
                "n": graph.vertices,
            },
            options=RunOptions(timeout=60),
        )
    except AssertionError as error:
        return _outcome(code, graph, None, 0.0, f"not built: {_first_error(str(error))}")
    seconds = time.perf_counter() - started
    fault = ran.fault
    left_an_array = bool(ran.found(DiagnosticKind.OUT_OF_BOUNDS))
    return _outcome(code, graph, ran, seconds, fault.verdict.value if fault and not left_an_array else "")


def _in_words(array: NDArray[Any]) -> NDArray[Any]:
    """An array of bytes or halves as one of whole words, which a buffer consists of."""
    if array.itemsize >= _WORD:
        return array
    padded = np.concatenate([array, np.zeros(-len(array) % _WORD, array.dtype)])
    return padded.view(np.uint32)


def _first_error(log: str) -> str:
    return next((line for line in log.splitlines() if "error" in line), log.splitlines()[0])[:120]


def _outcome(code: Code, graph: Graph, ran: Ran | None, seconds: float, problem: str) -> Outcome:
    races = [d for d in ran.found(*RACES) if d.severity is not Severity.NOTE] if ran else []
    lines = {line for d in races for line in (d.line, *(each.line for each in d.related))}
    return Outcome(
        code.name,
        tuple(sorted(code.tags & (RACE_TAGS | {BOUNDS_TAG}))),
        code.dtype,
        graph.name,
        graph.vertices,
        bool(races),
        bool(code.marked_lines),
        bool(lines & code.marked_lines),
        bool(ran.found(DiagnosticKind.OUT_OF_BOUNDS)) if ran else False,
        seconds,
        problem,
    )


def tallies(outcomes: Sequence[Outcome]) -> list[Tally]:
    """Found bugs, by kind and by the size of the graphs. A code counts once for each size."""
    rows = []
    for graphs_, small in (("larger", False), (f"{SMALL} vertices", True)):
        some = [each for each in outcomes if (each.vertices <= SMALL) == small and not each.problem]
        racy = [each for each in some if each.is_racy]
        marked = [each for each in racy if each.race and each.has_mark]
        clean = [each for each in some if not each.is_racy]
        beyond = [each for each in some if BOUNDS_TAG in each.tags]
        within = [each for each in some if BOUNDS_TAG not in each.tags]
        rows += [
            _tally(graphs_, "race planted", "race", racy, "race"),
            _tally(graphs_, "no race planted", "race", clean, "race"),
            _tally(graphs_, "race found and its line marked", "race at the marked line", marked, "at_mark"),
            _tally(graphs_, "missing guard planted", "out of bounds", beyond, "out_of_bounds"),
            _tally(graphs_, "no missing guard planted", "out of bounds", within, "out_of_bounds"),
        ]
    return rows


def _tally(graphs_: str, codes_: str, finding: str, outcomes: list[Outcome], field: str) -> Tally:
    groups = _by_code(outcomes)
    found = sum(any(getattr(each, field) for each in group) for group in groups)
    return Tally(graphs_, codes_, finding, found, len(groups))


def table(rows: Iterable[Tally]) -> str:
    """The tallies as a table."""
    return pages.table(
        ["graphs", "codes", "finding", "found in"],
        [[row.graphs, row.codes, row.finding, f"{row.found:,} of {row.of:,}"] for row in rows],
        3,
    )


def _by_code(outcomes: Iterable[Outcome]) -> list[list[Outcome]]:
    grouped: dict[str, list[Outcome]] = {}
    for each in outcomes:
        grouped.setdefault(each.code, []).append(each)
    return list(grouped.values())


def missed(outcomes: Sequence[Outcome]) -> list[str]:
    """Codes with a planted race that none of the larger graphs shows, and codes with a finding but no bug."""
    large = [each for each in outcomes if each.vertices > SMALL and not each.problem]
    unseen = [
        group[0].code
        for group in _by_code(each for each in large if each.is_racy)
        if not any(each.race for each in group)
    ]
    return unseen + sorted({each.code for each in outcomes if each.race and not each.is_racy})


def summary(outcomes: Sequence[Outcome]) -> str:
    """Codes, runs and times in one line, and what could not run."""
    ran = [each for each in outcomes if not each.problem]
    problems: dict[str, set[str]] = {}
    for each in outcomes:
        if each.problem:
            problems.setdefault(each.problem.partition(":")[0], set()).add(each.code)
    median = statistics.median(each.seconds for each in ran) * 1000 if ran else 0.0
    left_out = "; ".join(f"{len(names)} codes {problem}" for problem, names in sorted(problems.items()))
    return (
        f"{len({each.code for each in ran}):,} codes on {len({each.graph for each in ran})} graphs,"
        f" {len(ran):,} runs of {BLOCKS:,} blocks of {THREADS} threads, {median:.0f} ms each at the median"
        + (f"; {left_out}." if left_out else ".")
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the codes, print the table, and keep it if asked."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path, help="The folder of the generated suite.")
    options.add_argument("--draw", type=int, metavar="N", help="Take N codes at random.")
    options.add_argument("--seed", type=int, default=1, help="Seed of the draw.")
    options.add_argument(
        "--types", nargs="+", choices=TYPES, default=["int"], help="Data types of the codes."
    )
    options.add_argument("--keep", action="store_true", help=f"Write {RESULTS.name} and {PAGE.name}.")
    given = options.parse_args(arguments)
    chosen = codes(given.folder, given.types)
    total = len(chosen)
    if given.draw is not None and given.draw < total:
        chosen = sorted(random.Random(given.seed).sample(chosen, given.draw), key=lambda code: code.name)
    outcomes = [run(code, graph) for code in chosen for graph in graphs()]
    lines = [
        summary(outcomes),
        "",
        table(tallies(outcomes)),
        *(f"not as planted: {name}" for name in missed(outcomes)),
    ]
    sys.stdout.write("\n".join([*lines, ""]))
    if given.keep:
        keep(outcomes, total, given.seed, given.types)


def keep(outcomes: Sequence[Outcome], total: int, seed: int, types: Sequence[str]) -> None:
    """Write the record and the page."""
    record: dict[str, Any] = {
        "schema_version": 1,
        "provenance": machine_provenance(suite="Indigo 1.3", codes=total, types=list(types), seed=seed),
        "drawn": len({each.code for each in outcomes}),
        "summary": summary(outcomes),
        "tallies": [asdict(each) for each in tallies(outcomes)],
        "not_as_planted": missed(outcomes),
    }
    pages.keep(record, RESULTS)
    pages.show(RESULTS, "indigo", page_section, PAGE)


def page_section(record: dict[str, Any]) -> str:
    """The section of the page: where and what was measured, and the table."""
    made = record["provenance"]
    odd = ", ".join(f"`{name}`" for name in record["not_as_planted"])
    whole = record["drawn"] == made["codes"]
    drawn = "all" if whole else f"{record['drawn']:,} (seed {made['seed']}) of the"
    rows = table(Tally(**row) for row in record["tallies"])
    return (
        f"Measured on {made['measured_at'][:10]} at commit `{made['commit'][:7]}`: {drawn} {made['codes']:,} codes of"
        f" {made['suite']} with the types {', '.join(made['types'])}. {record['summary']}\n\n{rows}"
        + (f"\n\nNot as planted: {odd}." if odd else "")
    )


if __name__ == "__main__":
    main()
