"""What findings of undefined behaviour cost a kernel: its points for correctness, and its verdict."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from grader.judge.findings import as_reason
from grader.labs.finding_rules import CostlyFinding, FindingRule
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.reason import Reason

_KINDS: dict[CostlyFinding, tuple[frozenset[DiagnosticKind], frozenset[Severity]]] = {
    CostlyFinding.DIVERGENT_BARRIER: (
        frozenset({DiagnosticKind.DIVERGENT_BARRIER}),
        frozenset({Severity.ERROR}),
    ),
    CostlyFinding.EXIT_BEFORE_BARRIER: (
        frozenset({DiagnosticKind.DIVERGENT_BARRIER}),
        frozenset({Severity.WARNING}),
    ),
    CostlyFinding.MISSING_SYNCWARP: (
        frozenset({DiagnosticKind.LANE_HAZARD}),
        frozenset({Severity.ERROR, Severity.WARNING}),
    ),
    CostlyFinding.SHUFFLE_INACTIVE: (
        frozenset({DiagnosticKind.INACTIVE_LANE}),
        frozenset({Severity.ERROR, Severity.WARNING}),
    ),
    CostlyFinding.UNINITIALISED_READ: (
        frozenset({DiagnosticKind.UNINITIALISED}),
        frozenset({Severity.ERROR, Severity.WARNING}),
    ),
    CostlyFinding.SAME_VALUE_RACE: (
        frozenset({DiagnosticKind.SHARED_RACE, DiagnosticKind.GLOBAL_RACE}),
        frozenset({Severity.WARNING}),
    ),
    CostlyFinding.ORDER_DEPENDENCE: (
        frozenset({DiagnosticKind.ORDER_DEPENDENCE}),
        frozenset({Severity.ERROR, Severity.WARNING}),
    ),
}
"""The diagnostics that each finding of a rubric stands for. Notes cost nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """One rule of ``[rubric.findings]`` that a kernel meets, and its most severe finding with its line."""

    rule: FindingRule
    reason: Reason


def charges(
    rules: Iterable[FindingRule], diagnostics: Sequence[Diagnostic], public: Collection[str]
) -> tuple[Charge, ...]:
    """A charge for each of ``rules`` with a finding among ``diagnostics``; one of a ``public`` case is preferred."""
    found = []
    for rule in rules:
        kinds, severities = _KINDS[rule.finding]
        of_rule = [each for each in diagnostics if each.kind in kinds and each.severity in severities]
        if of_rule:
            shown = min(
                of_rule, key=lambda each: (each.case is not None and each.case not in public, each.order)
            )
            found.append(Charge(rule=rule, reason=as_reason(shown)))
    return tuple(found)
