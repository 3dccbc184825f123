"""Redact a report for its student: remove everything that reveals a hidden case.

A hidden case keeps its verdict only. Texts elsewhere are redacted too:

- The reason of a kernel or a submission stays if no hidden case failed. Otherwise the reason of a public case with the
  same verdict replaces it, or, without one, the statement that a hidden case failed.
- The reason of a rubric part or a public case stays unless it names a hidden case or quotes its reason.
- A diagnostic that depends on the input keeps its kind and lines, which belong to the student's own source. A general
  explanation of the kind replaces message, advice and counts, since those reveal sizes.

Kernel output and per-line figures stay: both come from public cases.

The speed of a suspicious kernel is withheld until staff have reviewed it; reviewer and reason of the review are
withheld from students. Rates of arithmetic and bytes on a hidden case are withheld as well: together with the time,
they would reveal its size.
"""

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from grader.model.diagnostic import Diagnostic, DiagnosticKind
from grader.model.report import CaseReport, KernelReport, Report, ResultsDocument, Roofline, Visibility
from grader.model.verdict import Verdict

_EXPLANATIONS = {
    DiagnosticKind.OUT_OF_BOUNDS: "Some threads access elements past the end of an array. Check the index first.",
    DiagnosticKind.MISALIGNED: "A wide access starts at an address that is not a multiple of its width.",
    DiagnosticKind.NULL_ACCESS: "This line dereferences a null pointer.",
    DiagnosticKind.UNINITIALISED: "This line reads a value that nothing has written.",
    DiagnosticKind.SHARED_RACE: "Two threads access the same shared element with no barrier in between.",
    DiagnosticKind.GLOBAL_RACE: "Two threads access the same global element and nothing orders the accesses.",
    DiagnosticKind.LANE_HAZARD: "Lanes of a warp exchange data here without a warp barrier in between.",
    DiagnosticKind.INACTIVE_LANE: "A warp-wide operation names lanes that do not take part in it.",
    DiagnosticKind.ENDLESS_WAIT: "Blocks wait here for each other and never continue.",
    DiagnosticKind.ORDER_DEPENDENCE: "The result depends on the order in which warps and blocks run.",
    DiagnosticKind.READ_ONLY_WRITE: "This line writes memory that a kernel may only read.",
    DiagnosticKind.STACK_OVERFLOW: "Nested calls need more stack than a thread has.",
    DiagnosticKind.HEAP: "This line exhausts or misuses the device heap.",
    DiagnosticKind.DIVERGENT_BARRIER: "Only some threads of a block reach this barrier.",
    DiagnosticKind.ENDLESS_LOOP: "This loop does not end for some inputs.",
    DiagnosticKind.TRAP: "The kernel aborts itself here.",
    DiagnosticKind.INVALID_LAUNCH: "The launch configuration is invalid for some sizes.",
    DiagnosticKind.UNSUPPORTED: "The emulator does not support this operation.",
    DiagnosticKind.UNCOALESCED: "Neighbouring threads access addresses that are not adjacent.",
    DiagnosticKind.BANK_CONFLICT: "Threads of a warp access the same shared-memory bank. Pad the rows of the array.",
    DiagnosticKind.DIVERGENCE: "Lanes of a warp take different branches here, one after the other.",
    DiagnosticKind.ATOMIC_CONTENTION: "Many lanes update the same address here, one after the other.",
    DiagnosticKind.OCCUPANCY: "Too few warps fit on a multiprocessor to hide latency.",
    DiagnosticKind.DEVICE_FAULT: "The device aborted the kernel.",
}
"""Explains each kind of finding that depends on the input, without naming the input."""


class Audience(StrEnum):
    """The reader of a report; staff see all of it."""

    STAFF = "staff"
    STUDENT = "student"


def redact(report: Report) -> Report:
    """``report`` as its student may read it; idempotent."""
    secrets = _Secrets.of(report)
    kernels = tuple(_kernel(kernel, secrets) for kernel in report.kernels)
    hidden_failure = any(_is_hidden_failure(case) for kernel in report.kernels for case in kernel.cases)
    return replace(
        report,
        reason=_public_report_reason(report, kernels)
        if hidden_failure or secrets.revealed_by(report.reason)
        else report.reason,
        parts=tuple(
            replace(part, reason=secrets.redacted(part.reason), withheld=None) for part in report.parts
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
    """Names and failure reasons of hidden cases. ``aliases`` maps each name to ``hidden case N``, for all kernels."""

    aliases: dict[str, str]
    reasons: frozenset[str]
    names: re.Pattern[str]

    @classmethod
    def of(cls, report: Report) -> Self:
        cases = [case for kernel in report.kernels for case in kernel.cases]
        hidden = dict.fromkeys(case.name for case in cases if case.visibility is Visibility.HIDDEN)
        failures = {case.reason for case in cases if _is_hidden_failure(case)}
        public = {case.reason for case in cases if case.visibility is Visibility.PUBLIC}
        longest_first = sorted(hidden, key=len, reverse=True)
        return cls(
            aliases={name: f"hidden case {number}" for number, name in enumerate(hidden, start=1)},
            reasons=frozenset(failures - public - {""}),
            names=re.compile(
                "|".join(rf"(?<![\w-]){re.escape(n)}(?![\w-])" for n in longest_first) or r"(?!)"
            ),
        )

    def revealed_by(self, text: str) -> bool:
        """Whether ``text`` names a hidden case or quotes the reason of its failure."""
        return self.names.search(text) is not None or any(reason in text for reason in self.reasons)

    def redacted(self, text: str) -> str:
        """``text``, or only the hidden cases that decided, where ``text`` reveals them."""
        if not self.revealed_by(text):
            return text
        named = dict.fromkeys(self.aliases[name] for name in self.names.findall(text))
        return f"decided by {' and '.join(named) or 'a hidden case'}"


def _is_hidden_failure(case: CaseReport) -> bool:
    return case.visibility is Visibility.HIDDEN and case.verdict is not Verdict.ACCEPTED


def _kernel(kernel: KernelReport, secrets: _Secrets) -> KernelReport:
    replace_reason = any(map(_is_hidden_failure, kernel.cases)) or secrets.revealed_by(kernel.reason)
    cases = tuple(_case(case, secrets) for case in kernel.cases)
    has_hidden = any(case.visibility is Visibility.HIDDEN for case in kernel.cases)
    withheld = kernel.verdict is Verdict.SUSPICIOUS
    return replace(
        kernel,
        reason=_public_kernel_reason(kernel.verdict, cases) if replace_reason else kernel.reason,
        cases=cases,
        speedup=None if withheld else kernel.speedup,
        seconds=None if withheld else kernel.seconds,
        timings=() if withheld else kernel.timings,
        roofline=_roofline(kernel.roofline, withheld=withheld),
        diagnostics=_diagnostics(kernel.diagnostics) if has_hidden else kernel.diagnostics,
    )


def _roofline(roofline: Roofline | None, *, withheld: bool) -> Roofline | None:
    """Remove the rates where they are withheld or would reveal the size of a hidden timing case."""
    if roofline is None or (roofline.visibility is Visibility.PUBLIC and not withheld):
        return roofline
    return replace(roofline, operations_per_second=None, bytes_per_second=None, share=None, rungs=())


def _case(case: CaseReport, secrets: _Secrets) -> CaseReport:
    if case.visibility is Visibility.PUBLIC:
        return replace(case, reason=secrets.redacted(case.reason))
    return replace(case, name=secrets.aliases[case.name], reason=f"hidden case: {case.verdict}")


def _public_kernel_reason(verdict: Verdict, cases: tuple[CaseReport, ...]) -> str:
    for case in cases:
        if case.visibility is Visibility.PUBLIC and case.verdict is verdict:
            return f"case {case.name}: {case.reason}"
    return f"hidden case: {verdict}"


def _public_report_reason(report: Report, kernels: tuple[KernelReport, ...]) -> str:
    for kernel in kernels:
        if kernel.verdict is report.verdict:
            return f"{kernel.name}: {kernel.reason}"
    return report.verdict.value


def _diagnostics(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Remove everything that depends on the input; findings that become equal are merged."""
    return tuple(
        dict.fromkeys(
            replace(d, message=_EXPLANATIONS[d.kind], advice="", threads=0, count=1)
            if d.kind in _EXPLANATIONS
            else d
            for d in diagnostics
        ),
    )
