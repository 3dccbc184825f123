"""Judge the structure of a program by the trace of its run: how it copies, overlaps, waits, releases and checks."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from grader.judge.findings import as_reason
from grader.labs.manifest import Manifest
from grader.labs.program import StructureCheck, StructureRule
from grader.model.diagnostic import Diagnostic, DiagnosticKind
from grader.model.facts import Facts, KernelFacts, ProgramFacts
from grader.model.location import SourceLocation
from grader.model.program import Lane
from grader.model.reason import Reason, reason
from grader.model.trace import Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """Whether a rule is met, and the figures that show it."""

    is_met: bool
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class _Evidence:
    """What is known of a right program: its facts, its trace of the observed case, and what leaks."""

    program: ProgramFacts
    trace: Trace
    leaks: Collection[Diagnostic]

    def line(self, lanes: Collection[Lane], *, pageable: bool = False) -> SourceLocation:
        """The line that copies most in ``lanes``; of pageable memory alone if ``pageable``."""
        moved: Counter[SourceLocation] = Counter()
        for each in self.program.activities:
            if each.lane in lanes and not (pageable and each.is_pinned):
                moved[each.location] += each.moved_bytes
        return moved.most_common(1)[0][0] if moved else SourceLocation()


def structure(facts: Facts, manifest: Manifest) -> Mapping[StructureRule, Judged]:
    """Each rule that could be judged: none where the program is wrong."""
    evidence = next(filter(None, (_evidence(facts, kernel) for kernel in facts.kernels)), None)
    if evidence is None:
        return {}
    return {rule: _CHECKS[rule.check](rule.bound, evidence) for rule in manifest.rubric.structure}


def _evidence(facts: Facts, kernel: KernelFacts) -> _Evidence | None:
    program = kernel.program
    trace = None if program is None else program.traces.get(facts.observed_case or "")
    if program is None or trace is None or kernel.fault is not None or not kernel.all_cases_passed:
        return None
    leaks = [
        found
        for found in kernel.diagnostics
        if found.kind is DiagnosticKind.LEAK and found.case == facts.observed_case
    ]
    return _Evidence(program=program, trace=trace, leaks=leaks)


_COMBINED_SHARE = 0.05
"""Outputs that the host makes of partial results, or the partial results, may have this share of the inputs' bytes."""

_COPIES = frozenset({Lane.COPY_IN, Lane.COPY_OUT})


def _pinned(least: float, found: _Evidence) -> Judged:
    copied = found.trace.copied
    share = found.trace.pinned / copied if copied else 0.0
    if share >= least:
        return Judged(is_met=True, reason=reason("structure-pinned", share=100 * share))
    missing = reason(
        "structure-pageable",
        location=found.line(_COPIES, pageable=True),
        share=100 * share,
        least=100 * least,
    )
    return Judged(is_met=False, reason=missing)


def _copied_once(most: float, found: _Evidence) -> Judged:
    slack = _COMBINED_SHARE * found.program.needed_in
    moved = (
        ("inputs", Lane.COPY_IN, found.trace.copied_in, found.program.needed_in, 0.0),
        ("outputs", Lane.COPY_OUT, found.trace.copied_out, found.program.needed_out, slack),
    )
    for what, lane, copied, needed, beside in moved:
        if copied < max(needed - beside, 1):
            missing = reason("structure-copied-less", copied=copied, needed=needed, what=what, count=copied)
            return Judged(is_met=False, reason=missing)
        if copied > most * needed + beside:
            said = reason(
                "structure-copied-again",
                location=found.line({lane}),
                copied=copied,
                needed=needed,
                what=what,
                count=copied,
            )
            return Judged(is_met=False, reason=said)
    said = reason("structure-copied-once", copied_in=found.trace.copied_in, copied_out=found.trace.copied_out)
    return Judged(is_met=True, reason=said)


def _overlap(least: float, found: _Evidence) -> Judged:
    kernels = found.trace.kernel_seconds
    share = found.trace.overlapped_seconds / kernels if kernels else 0.0
    if share >= least:
        return Judged(is_met=True, reason=reason("structure-overlap", share=100 * share))
    said = reason("structure-little-overlap", share=100 * share, least=100 * least)
    return Judged(is_met=False, reason=said)


def _synchronisations(most: float, found: _Evidence) -> Judged:
    waits = found.trace.synchronisations
    if waits <= most:
        return Judged(is_met=True, reason=reason("structure-waits", count=waits))
    return Judged(is_met=False, reason=reason("structure-many-waits", count=waits, most=int(most)))


def _no_leak(_: float, found: _Evidence) -> Judged:
    if not found.leaks:
        return Judged(is_met=True, reason=reason("structure-no-leak"))
    return Judged(is_met=False, reason=as_reason(min(found.leaks, key=lambda each: each.order)))


def _errors_checked(least: float, found: _Evidence) -> Judged:
    checks = found.program.checks
    noticed = sum(check.is_noticed for check in checks)
    missed = next((check.call for check in checks if not check.is_noticed), None)
    if missed is None or noticed >= least * len(checks):
        return Judged(
            is_met=bool(checks), reason=reason("structure-checked", noticed=noticed, total=len(checks))
        )
    said = reason(
        "structure-unchecked",
        location=missed.location,
        name=missed.name,
        noticed=noticed,
        total=len(checks),
    )
    return Judged(is_met=False, reason=said)


_CHECKS: dict[StructureCheck, Callable[[float, _Evidence], Judged]] = {
    StructureCheck.PINNED: _pinned,
    StructureCheck.COPIED_ONCE: _copied_once,
    StructureCheck.OVERLAP: _overlap,
    StructureCheck.SYNCHRONISATIONS: _synchronisations,
    StructureCheck.NO_LEAK: _no_leak,
    StructureCheck.ERRORS_CHECKED: _errors_checked,
}
