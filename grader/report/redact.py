"""Redact a report for its student: remove everything that reveals a hidden case.

This is a filter on values; no text is read. Of a hidden case a student learns only whether it passed: no name, size,
input, element, line, time or way to fail. A kernel could choose the way by the sizes, and so tell them.

- A failure in a hidden case is ``wrong``, whatever happened there; so is a kernel that only hidden cases fail.

- A reason that reveals a hidden case becomes the statement that a hidden case failed. If a public case failed in the
  same way, its reason takes the place of a kernel's.
- A finding that only hidden cases show is dropped. One that a public case shows stays as the public case shows it.
- Times and rates measured on a hidden case are dropped, and the seconds that all took together; the speedup stays,
  because it explains the points.

Kernel output and per-line figures stay: both come from public cases. The speed of a suspicious kernel is withheld until
staff have reviewed it; who decided, and the reason for staff, are withheld from students.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from grader.model.diagnostic import Diagnostic
from grader.model.reason import Param, Reason, reason
from grader.model.report import CaseReport, KernelReport, Part, Report, ResultsDocument, Roofline, Visibility
from grader.model.verdict import Verdict, most_severe

_SURROUNDINGS = {"in-kernel", "withheld-until-review"}
"""The statements around another one that are the same whatever that one says."""


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
        verdict=_report_verdict(report, kernels),
        reason=_report_reason(report, kernels, hidden),
        parts=tuple(_part(part, hidden) for part in report.parts),
        kernels=kernels,
        time_used=None if any(map(_ran_hidden_cases, report.kernels)) else report.time_used,
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
        """``said``, or the failure of the hidden case that it reveals.

        What surrounds a hidden case goes too, because it depends on what happened there: a cause with its symptom
        reads differently from a symptom alone.
        """
        revealed = said.cases() & self.numbers.keys()
        if not revealed:
            return said
        if said.code in _SURROUNDINGS:
            return replace(said, params={name: self._param(value) for name, value in said.params.items()})
        return reason("hidden-case", number=min(self.numbers[name] for name in revealed))

    def _param(self, value: Param) -> Param:
        return self.redacted(value) if isinstance(value, Reason) else value


def _kernel(kernel: KernelReport, hidden: _Hidden) -> KernelReport:
    withheld = kernel.verdict is Verdict.SUSPICIOUS
    untimed = withheld or kernel.timing_visibility is Visibility.HIDDEN
    cases = tuple(_case(case, hidden) for case in kernel.cases)
    verdict = _kernel_verdict(kernel, cases, hidden)
    return replace(
        kernel,
        verdict=verdict,
        reason=_kernel_reason(kernel, verdict, hidden),
        suspicion=kernel.suspicion and hidden.redacted(kernel.suspicion),
        cases=cases,
        speedup=None if withheld else kernel.speedup,
        seconds=None if untimed else kernel.seconds,
        timings=() if untimed else kernel.timings,
        roofline=_roofline(kernel.roofline, withheld=withheld),
        diagnostics=_diagnostics(kernel.diagnostics, hidden),
    )


def _ran_hidden_cases(kernel: KernelReport) -> bool:
    return kernel.timing_visibility is Visibility.HIDDEN or any(
        case.visibility is Visibility.HIDDEN for case in kernel.cases
    )


def _kernel_verdict(kernel: KernelReport, shown: Sequence[CaseReport], hidden: _Hidden) -> Verdict:
    """The verdict that the cases as ``shown`` give, if cases decided it."""
    if kernel.verdict is most_severe([case.verdict for case in kernel.cases]):
        return most_severe([case.verdict for case in shown])
    return _hidden_verdict(kernel.verdict) if hidden.revealed_by(kernel.reason) else kernel.verdict


def _hidden_verdict(verdict: Verdict) -> Verdict:
    """The verdict of what only a hidden case shows: whether it passed, or could not be judged."""
    keeps = verdict.earns_correctness or verdict is Verdict.NOT_GRADABLE
    return verdict if keeps else Verdict.WRONG


def _report_verdict(report: Report, kernels: Sequence[KernelReport]) -> Verdict:
    if report.verdict is most_severe([kernel.verdict for kernel in report.kernels]):
        return most_severe([kernel.verdict for kernel in kernels])
    return report.verdict


def _kernel_reason(kernel: KernelReport, verdict: Verdict, hidden: _Hidden) -> Reason:
    if not hidden.revealed_by(kernel.reason):
        return kernel.reason
    for case in kernel.cases:
        if case.visibility is Visibility.PUBLIC and case.verdict is verdict:
            return reason("in-case", case=case.name, reason=hidden.redacted(case.reason))
    return hidden.redacted(kernel.reason)


def _report_reason(report: Report, kernels: tuple[KernelReport, ...], hidden: _Hidden) -> Reason:
    if not hidden.revealed_by(report.reason):
        return report.reason
    verdict = _report_verdict(report, kernels)
    for kernel in kernels:
        if kernel.verdict is verdict:
            return reason("in-kernel", kernel=kernel.name, reason=kernel.reason)
    return hidden.redacted(report.reason)


def _part(part: Part, hidden: _Hidden) -> Part:
    return replace(part, reason=hidden.redacted(part.reason), withheld=None)


def _case(case: CaseReport, hidden: _Hidden) -> CaseReport:
    if case.visibility is Visibility.PUBLIC:
        return replace(case, reason=hidden.redacted(case.reason))
    number, verdict = hidden.numbers[case.name], _hidden_verdict(case.verdict)
    return replace(
        case,
        name=f"hidden-{number}",
        verdict=verdict,
        reason=reason("hidden-case-verdict", number=number, verdict=verdict.value),
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
