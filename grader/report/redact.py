"""What a student may read of a report: everything, but what a hidden case looks like.

A hidden case shows its verdict and nothing else. What was written about it elsewhere goes too:

- a kernel's or a submission's reason stays if no hidden case failed; otherwise a public case that failed in the
  same way speaks for it, and where there is none the reader learns only that a hidden case failed;
- the reason of a rubric part or of a public case stays unless it names a hidden case or quotes its reason;
- a diagnostic that depends on the input keeps its kind and lines, which belong to the student's own source, but
  neither message nor advice nor counts, which give sizes away: an explanation of the kind stands in their place.

What a kernel printed and what its lines did stays: both stem from public cases.

The speed of a suspicious kernel is withheld until a person has looked at it; who that was and why they decided as they
did stays among staff. So are rates of arithmetic and bytes that
were reached on a hidden case: with the time they would tell its size.
"""

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from grader.model.diagnostic import Diagnostic, DiagnosticKind
from grader.model.report import CaseReport, KernelReport, Report, ResultsDocument, Roofline, Visibility
from grader.model.verdict import Verdict

_ADVICE = {
    DiagnosticKind.OUT_OF_BOUNDS: "Some threads reach past the end of an array. Guard the access with the sizes.",
    DiagnosticKind.MISALIGNED: "A wide access starts at an address that is no multiple of its width.",
    DiagnosticKind.NULL_ACCESS: "A null pointer is followed here.",
    DiagnosticKind.UNINITIALISED: "A value is read here that nothing has written.",
    DiagnosticKind.SHARED_RACE: "Two threads touch the same shared element with no barrier between them.",
    DiagnosticKind.GLOBAL_RACE: "Two threads touch the same global element and nothing orders them.",
    DiagnosticKind.LANE_HAZARD: "Lanes of a warp exchange data here without a warp barrier between them.",
    DiagnosticKind.INACTIVE_LANE: "A warp-wide operation names lanes that do not take part in it.",
    DiagnosticKind.ENDLESS_WAIT: "Blocks wait here for each other and never go on.",
    DiagnosticKind.ORDER_DEPENDENCE: "The result depends on the order in which warps and blocks run.",
    DiagnosticKind.READ_ONLY_WRITE: "Memory that a kernel can only read is written here.",
    DiagnosticKind.STACK_OVERFLOW: "The calls go deeper than the stack is.",
    DiagnosticKind.HEAP: "The device heap is used up or used wrongly here.",
    DiagnosticKind.DIVERGENT_BARRIER: "Only some threads of a block reach this barrier.",
    DiagnosticKind.ENDLESS_LOOP: "This loop does not end for some input.",
    DiagnosticKind.TRAP: "The kernel stops itself here.",
    DiagnosticKind.INVALID_LAUNCH: "The launch geometry is not allowed for some sizes.",
    DiagnosticKind.UNSUPPORTED: "The emulator cannot carry out this operation.",
    DiagnosticKind.UNCOALESCED: "Neighbouring threads read or write addresses that are not neighbours.",
    DiagnosticKind.BANK_CONFLICT: "Threads of a warp meet in one shared-memory bank. Pad the rows of the array.",
    DiagnosticKind.DIVERGENCE: "Lanes of a warp go different ways here, one after the other.",
    DiagnosticKind.ATOMIC_CONTENTION: "Many lanes update the same address here, one after the other.",
    DiagnosticKind.OCCUPANCY: "Too few warps fit on a multiprocessor to hide its latencies.",
    DiagnosticKind.DEVICE_FAULT: "The device stopped the kernel.",
}
"""What each finding that depends on the input means, said without the input."""


class Audience(StrEnum):
    """Who reads a report: staff see all of it."""

    STAFF = "staff"
    STUDENT = "student"


def redact(report: Report) -> Report:
    """``report`` as its student may read it. Doing it twice changes nothing more."""
    secrets = _Secrets.of(report)
    kernels = tuple(_kernel(kernel, secrets) for kernel in report.kernels)
    hidden_failure = any(_failed_in_hiding(case) for kernel in report.kernels for case in kernel.cases)
    return replace(
        report,
        reason=_report_stand_in(report, kernels)
        if hidden_failure or secrets.told_by(report.reason)
        else report.reason,
        parts=tuple(
            replace(part, reason=secrets.retold(part.reason), withheld=None) for part in report.parts
        ),
        kernels=kernels,
        diagnostics=_diagnostics(report.diagnostics) if secrets.aliases else report.diagnostics,
        review=report.review and replace(report.review, reviewer="", reason=""),
    )


def redact_document(document: ResultsDocument) -> ResultsDocument:
    """``document`` with every report redacted."""
    return replace(document, reports=tuple(map(redact, document.reports)))


def for_audience(report: Report, audience: Audience) -> Report:
    """``report`` as ``audience`` may read it."""
    return redact(report) if audience == Audience.STUDENT else report


@dataclass(frozen=True, slots=True)
class _Secrets:
    """What a text must not say. ``aliases``: what students call each hidden case, the same in every kernel."""

    aliases: dict[str, str]
    reasons: frozenset[str]
    names: re.Pattern[str]

    @classmethod
    def of(cls, report: Report) -> Self:
        cases = [case for kernel in report.kernels for case in kernel.cases]
        hidden = dict.fromkeys(case.name for case in cases if case.visibility is Visibility.HIDDEN)
        told = {case.reason for case in cases if _failed_in_hiding(case)}
        public = {case.reason for case in cases if case.visibility is Visibility.PUBLIC}
        longest_first = sorted(hidden, key=len, reverse=True)
        return cls(
            aliases={name: f"hidden case {number}" for number, name in enumerate(hidden, start=1)},
            reasons=frozenset(told - public - {""}),
            names=re.compile(
                "|".join(rf"(?<![\w-]){re.escape(n)}(?![\w-])" for n in longest_first) or r"(?!)"
            ),
        )

    def told_by(self, text: str) -> bool:
        """Whether ``text`` names a hidden case or quotes what was said about one."""
        return self.names.search(text) is not None or any(reason in text for reason in self.reasons)

    def retold(self, text: str) -> str:
        """``text``, or, where it would tell too much, only which hidden cases it is about."""
        if not self.told_by(text):
            return text
        named = dict.fromkeys(self.aliases[name] for name in self.names.findall(text))
        return f"decided by {' and '.join(named) or 'a hidden case'}"


def _failed_in_hiding(case: CaseReport) -> bool:
    return case.visibility is Visibility.HIDDEN and case.verdict is not Verdict.ACCEPTED


def _kernel(kernel: KernelReport, secrets: _Secrets) -> KernelReport:
    retell = any(map(_failed_in_hiding, kernel.cases)) or secrets.told_by(kernel.reason)
    cases = tuple(_case(case, secrets) for case in kernel.cases)
    has_hidden = any(case.visibility is Visibility.HIDDEN for case in kernel.cases)
    withheld = kernel.verdict is Verdict.SUSPICIOUS
    return replace(
        kernel,
        reason=_kernel_stand_in(kernel.verdict, cases) if retell else kernel.reason,
        cases=cases,
        speedup=None if withheld else kernel.speedup,
        seconds=None if withheld else kernel.seconds,
        timings=() if withheld else kernel.timings,
        roofline=_roofline(kernel.roofline, withheld=withheld),
        diagnostics=_diagnostics(kernel.diagnostics) if has_hidden else kernel.diagnostics,
    )


def _roofline(roofline: Roofline | None, *, withheld: bool) -> Roofline | None:
    """Without its rates where they are withheld, or would tell the size of a hidden timing case."""
    if roofline is None or (roofline.visibility is Visibility.PUBLIC and not withheld):
        return roofline
    return replace(roofline, operations_per_second=None, bytes_per_second=None, share=None, rungs=())


def _case(case: CaseReport, secrets: _Secrets) -> CaseReport:
    if case.visibility is Visibility.PUBLIC:
        return replace(case, reason=secrets.retold(case.reason))
    return replace(case, name=secrets.aliases[case.name], reason=f"hidden case: {case.verdict}")


def _kernel_stand_in(verdict: Verdict, cases: tuple[CaseReport, ...]) -> str:
    for case in cases:
        if case.visibility is Visibility.PUBLIC and case.verdict is verdict:
            return f"case {case.name}: {case.reason}"
    return f"hidden case: {verdict}"


def _report_stand_in(report: Report, kernels: tuple[KernelReport, ...]) -> str:
    for kernel in kernels:
        if kernel.verdict is report.verdict:
            return f"{kernel.name}: {kernel.reason}"
    return report.verdict.value


def _diagnostics(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Without what depends on the input; findings that then say the same become one."""
    return tuple(
        dict.fromkeys(
            replace(d, message=_ADVICE[d.kind], advice="", threads=0, count=1) if d.kind in _ADVICE else d
            for d in diagnostics
        ),
    )
