"""What the observation of drawn blocks costs, and whether it flags a rung: every CUDA C rung of every lab.

``python -m benchmarks.drawn_blocks`` observes blocks of each lab's GPU timing case on the emulator, as a grading on a
GPU does beside the GPU, and writes ``results/drawn-blocks.json`` and the table in
``benchmarks/tables/robustness.md``. ``--lab NAME``: only this lab; rows of the others stay. Inputs are drawn
before the clock starts, because the timing needs them in any case.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from grader.config.settings import LimitSettings
from grader.grading.cases import draw_inputs
from grader.grading.context import GradingContext
from grader.grading.drawn_blocks import compare_code, observe_drawn_blocks
from grader.grading.environment import GradingEnvironment
from grader.grading.session import RunSession
from grader.judge.technique import Evidence, technique_flaw
from grader.judge.technique_flaws import counts_in_drawn_blocks
from grader.labs.lab import Lab
from grader.labs.manifest import TechniqueRule, largest_public
from grader.model.devices import H200
from grader.model.facts import CaseOutcome, KernelFacts
from grader.model.location import SourceLocation
from grader.model.reason import Reason, reason
from grader.model.run import Counters, EngineKind
from grader.model.submission import Language
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tools import pages
from tools.machine import machine_provenance
from tools.paths import CHECKOUT
from tools.rung_kernels import RungKernel, labs, module, rung_kernels

RESULTS = pages.RESULTS / "drawn-blocks.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "robustness.md"
SECTION = "drawn-blocks"

SEED = 11
MOST_SECONDS = 2.0
"""Aim for one submission, all its kernels together."""

Figures = dict[str, Any]


def measure(environment: GradingEnvironment, lab: Lab) -> Iterator[Figures]:
    """One record for each rung of ``lab``."""
    rungs: dict[str, list[RungKernel]] = {}
    for entry in rung_kernels(lab):
        if entry.language == Language.CUDA_C:
            rungs.setdefault(entry.rung.name, []).append(entry)
    cases = tuple(case for case in lab.manifest.cases if EngineKind.CUDA in case.engines)
    context = GradingContext(
        lab=lab,
        language=Language.CUDA_C,
        module=module(lab, lab.manifest.baseline, Language.CUDA_C, H200.arch),
        cases=cases,
        observed=largest_public(lab.manifest.cases),
        seed=SEED,
    )
    context.prepare_timing_case()
    for rung, entries in rungs.items():
        built = replace(context, module=module(lab, rung, Language.CUDA_C, H200.arch))
        with environment.emulating().session() as emulator:
            counted = {entry.kernel: _counted(built, emulator, entry.kernel) for entry in entries}
            began = time.monotonic()
            observed = compare_code(
                built, emulator, observe_drawn_blocks(built, emulator, [_right(entry) for entry in entries])
            )
            seconds = time.monotonic() - began
            lost = list(_lost_rules(lab, counted, observed))
        yield {
            "lab": lab.name,
            "rung": rung,
            "kernels": len(entries),
            "seconds": round(seconds, 3),
            "blocks": sum(
                each.blocks for kernel in observed if kernel.drawn for each in kernel.drawn.counters
            ),
            "unfinished": [
                kernel.drawn.unfinished.code
                for kernel in observed
                if kernel.drawn and kernel.drawn.unfinished
            ],
            "only_here": _lines(kernel.drawn.only_here for kernel in observed if kernel.drawn),
            "other_code": _lines(kernel.drawn.other_code for kernel in observed if kernel.drawn),
            "lost": lost,
            "wrong": [
                case.reason.code for kernel in observed for case in kernel.cases if case.name != "assumed"
            ],
        }


def _lines(locations: Iterable[SourceLocation | None]) -> list[str]:
    return [f"{where.file}:{where.line}" for where in locations if where is not None]


def _is_flagged(row: Figures) -> bool:
    """Whether staff would have to look at the rung: other code alone is no reason."""
    return bool(row["only_here"] or (row["other_code"] and (row["lost"] or row["unfinished"])))


def _counted(context: GradingContext, emulator: RunSession, kernel: str) -> Sequence[Counters]:
    """The counters of the observed case. This also loads the emulator before the clock starts."""
    if context.observed is None:
        return ()
    return emulator.run(context.job(kernel, draw_inputs(context.lab, context.observed, SEED))).counters


def _lost_rules(
    lab: Lab, counted: Mapping[str, Sequence[Counters]], kernels: Sequence[KernelFacts]
) -> Iterator[str]:
    """The rules of the rubric that a kernel meets in the observed case and not in drawn blocks."""
    drawn = {kernel.name: kernel.drawn for kernel in kernels if kernel.drawn and kernel.drawn.counters}
    for rule in lab.manifest.rubric.technique:
        found = drawn.get(rule.kernel)
        if found and counts_in_drawn_blocks(rule, found) and counted.get(rule.kernel):
            whole, part = _flaw(rule, counted[rule.kernel]), _flaw(rule, found.counters)
            if whole is None and part is not None:
                yield f"{rule.kernel} {rule.check}: {part}"


def _flaw(rule: TechniqueRule, counters: Sequence[Counters]) -> Reason | None:
    return technique_flaw(rule, Evidence(shared_bytes=counters[-1].shared_bytes, counters=counters))


def _right(entry: RungKernel) -> KernelFacts:
    assumed = CaseOutcome(name="assumed", verdict=Verdict.ACCEPTED, reason=reason("case-right"))
    return KernelFacts(name=entry.kernel, cases=(assumed,))


def table(results: dict[str, Any]) -> str:
    """Seconds by lab as a Markdown table under a line of provenance."""
    source = results["provenance"]
    by_lab: dict[str, list[Figures]] = {}
    for row in results["rungs"]:
        by_lab.setdefault(row["lab"], []).append(row)
    rows = [
        (
            lab,
            str(len(found)),
            f"{statistics.median(row['seconds'] for row in found):.2f} s",
            f"{max(row['seconds'] for row in found):.2f} s",
            str(min(row["blocks"] for row in found)),
            str(sum(map(len, (row["unfinished"] for row in found)))),
            str(sum(map(_is_flagged, found))),
            str(sum(map(len, (row["lost"] for row in found)))),
        )
        for lab, found in by_lab.items()
    ]
    header = ("lab", "rungs", "median", "longest", "fewest blocks", "not observed", "flagged", "points lost")
    measured = (
        f"Measured on {source['measured_at'][:10]} at commit `{source['commit'][:7]}` on a machine with "
        f"{source['cores']} cores ({source['cpu']}, load {source['load']:.1f} before), process sandbox, one submission "
        f"with all kernels of a rung. Aim: at most {MOST_SECONDS:g} s."
    )
    return f"{measured}\n\n{pages.table(header, rows, 1)}"


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lab")
    only = parser.parse_args().lab
    provenance = machine_provenance()
    with ProcessSandbox() as sandbox:
        environment = GradingEnvironment(
            sandbox=sandbox,
            engine=EngineKind.CUDA,
            device=H200,
            limits=LimitSettings(),
            modelled_counts=False,
        )
        rows = []
        for lab in labs():
            if only in {None, lab.name}:
                for row in measure(environment, lab):
                    sys.stdout.write(json.dumps(row) + "\n")
                    rows.append(row)
    if only is not None and RESULTS.exists():
        before = json.loads(RESULTS.read_text(encoding="utf-8"))["rungs"]
        rows = (
            [row for row in before if row["lab"] < only] + rows + [row for row in before if row["lab"] > only]
        )
    if only is None or RESULTS.exists():
        results = {"schema_version": 1, "provenance": provenance, "rungs": rows}
        RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
        pages.write({SECTION: table(results)}, PAGE)


if __name__ == "__main__":
    main()
