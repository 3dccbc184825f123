"""Redact a report for its student: remove everything that reveals a hidden case.

This is a filter on values; no text is read. Of a hidden case a student learns only that it failed: no name, size,
input, element, line or time.

- A reason that reveals a hidden case becomes the statement that a hidden case failed. If a public case failed in the
  same way, its reason takes the place of a kernel's.
- A finding that only hidden cases show is dropped. One that a public case shows stays as the public case shows it.
- Times and rates measured on a hidden case are dropped; the speedup stays, because it explains the points.

Kernel output and per-line figures stay: both come from public cases. The speed of a suspicious kernel is withheld until
staff have reviewed it; who decided, and the reason for staff, are withheld from students.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from grader.model.diagnostic import Diagnostic
from grader.model.reason import Param, Reason, reason
from grader.model.report import CaseReport, KernelReport, Part, Report, ResultsDocument, Roofline, Visibility
from grader.model.verdict import Verdict


class Audience(StrEnum):
    """The reader of a report; staff see all of it."""

    STAFF = "staff"
    STUDENT = "student"


def redact(report: Report) -> Report:
    """``report`` as its student may read it; idempotent."""
    hidden = _Hidden.of(report)
    kernels = tuple(_kernel(kernel, hidden) for kernel in report.kernels)
    return replace(
        report,
        reason=_report_reason(report, kernels, hidden),
        parts=tuple(_part(part, hidden) for part in report.parts),
        kernels=kernels,
        time_used=None if hidden.numbers else report.time_used,
        diagnostics=_diagnostics(report.diagnostics, hidden),
        hidden_cases=tuple(f"hidden-{number}" for number in hidden.numbers.values()),
        review=report.review and replace(report.review, reviewer="", reason=""),
        adjustment=report.adjustment and replace(report.adjustment, who="", why=""),
    )


def redact_document(document: ResultsDocument) -> ResultsDocument:
    """``document`` with every report redacted."""
    return replace(document, reports=tuple(map(redact, document.reports)))


def for_audience(report: Report, audience: Audience) -> Report:
    """``report`` as ``audience`` may read it."""
    return redact(report) if audience == Audience.STUDENT else report


@dataclass(frozen=True, slots=True)
class _Hidden:
    """The hidden cases. ``numbers`` has the number by which a student knows each, the same in all kernels."""

    numbers: Mapping[str, int]

    @classmethod
    def of(cls, report: Report) -> Self:
        cases = [case for kernel in report.kernels for case in kernel.cases]
        seen = (case.name for case in cases if case.visibility is Visibility.HIDDEN)
        names = dict.fromkeys([*seen, *report.hidden_cases])
        return cls({name: number for number, name in enumerate(names, start=1)})

    def revealed_by(self, said: Reason) -> bool:
        return not said.cases().isdisjoint(self.numbers)

    def redacted(self, said: Reason) -> Reason:
        """``said``, or the hidden case alone that it reveals."""
        if said.case is not None and said.case in self.numbers:
            return reason("hidden-case", number=self.numbers[said.case])
        if not self.revealed_by(said):
            return said
        return replace(said, params={name: self._param(value) for name, value in said.params.items()})

    def _param(self, value: Param) -> Param:
        match value:
            case Reason():
                return self.redacted(value)
            case tuple():
                return tuple(self.redacted(each) if isinstance(each, Reason) else each for each in value)
            case _:
                return value


def _kernel(kernel: KernelReport, hidden: _Hidden) -> KernelReport:
    withheld = kernel.verdict is Verdict.SUSPICIOUS
    untimed = withheld or kernel.timing_visibility is Visibility.HIDDEN
    return replace(
        kernel,
        reason=_kernel_reason(kernel, hidden),
        suspicion=kernel.suspicion and hidden.redacted(kernel.suspicion),
        cases=tuple(_case(case, hidden) for case in kernel.cases),
        speedup=None if withheld else kernel.speedup,
        seconds=None if untimed else kernel.seconds,
        timings=() if untimed else kernel.timings,
        roofline=_roofline(kernel.roofline, withheld=withheld),
        diagnostics=_diagnostics(kernel.diagnostics, hidden),
    )


def _kernel_reason(kernel: KernelReport, hidden: _Hidden) -> Reason:
    if kernel.reason.case not in hidden.numbers:
        return hidden.redacted(kernel.reason)
    for case in kernel.cases:
        if case.visibility is Visibility.PUBLIC and case.verdict is kernel.verdict:
            return reason("in-case", case=case.name, reason=hidden.redacted(case.reason))
    return hidden.redacted(kernel.reason)


def _report_reason(report: Report, kernels: tuple[KernelReport, ...], hidden: _Hidden) -> Reason:
    if not hidden.revealed_by(report.reason):
        return report.reason
    for kernel in kernels:
        if kernel.verdict is report.verdict:
            return reason("in-kernel", kernel=kernel.name, reason=kernel.reason)
    return hidden.redacted(report.reason)


def _part(part: Part, hidden: _Hidden) -> Part:
    return replace(part, reason=hidden.redacted(part.reason), withheld=None)


def _case(case: CaseReport, hidden: _Hidden) -> CaseReport:
    if case.visibility is Visibility.PUBLIC:
        return replace(case, reason=hidden.redacted(case.reason))
    number = hidden.numbers[case.name]
    return replace(
        case,
        name=f"hidden-{number}",
        reason=reason("hidden-case-verdict", number=number, verdict=case.verdict.value),
        wrong_map=None,
    )


def _roofline(roofline: Roofline | None, *, withheld: bool) -> Roofline | None:
    """Remove the rates where they are withheld or would reveal the size of a hidden timing case."""
    if roofline is None or (roofline.visibility is Visibility.PUBLIC and not withheld):
        return roofline
    return replace(roofline, operations_per_second=None, bytes_per_second=None, share=None, rungs=())


def _diagnostics(diagnostics: tuple[Diagnostic, ...], hidden: _Hidden) -> tuple[Diagnostic, ...]:
    return tuple(
        found
        for found in diagnostics
        if found.case not in hidden.numbers
        and not any(hidden.revealed_by(said) for said in (found.message, found.advice) if said)
    )
