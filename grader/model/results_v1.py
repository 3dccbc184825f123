"""The published results document, schema 1: what ``results.json`` holds, readable for good.

These classes are the file format and nothing else. Texts in it are English; ``code`` beside a text is the code of its
reason, empty in files of graders that had none. ``grader.report.results_json`` writes them; ``values_of`` reads them.
"""

from dataclasses import dataclass

from grader.model import diagnostic as finding
from grader.model import report as values
from grader.model.diagnostic import DiagnosticKind, Severity
from grader.model.location import SourceLocation
from grader.model.reason import AS_WRITTEN, Reason, as_written
from grader.model.report import (
    EngineInfo,
    Isolation,
    LatencyHiding,
    Roofline,
    SecondsUsed,
    Speedup,
    Timing,
    Visibility,
)
from grader.model.review import Adjustment, Review
from grader.model.run import AccessSite, LineProfile
from grader.model.submission import Language
from grader.model.verdict import Verdict
from grader.model.wrong_map import WrongMap

SCHEMA_VERSION = 1
"""Version of the document; it rises when readers of the old version would misread the new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """A finding; the fields are those of ``grader.model.diagnostic.Diagnostic``."""

    kind: DiagnosticKind
    severity: Severity
    message: str
    advice: str = ""
    kernel: str = ""
    file: str | None = None
    line: int | None = None
    related: tuple[SourceLocation, ...] = ()
    threads: int = 0
    count: int = 1
    code: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseReport:
    """One case of one kernel."""

    name: str
    visibility: Visibility
    verdict: Verdict
    reason: str
    code: str = ""
    wrong_map: WrongMap | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """What a kernel needs and the occupancy (0..1) that this allows; ``lift`` says how to raise the occupancy."""

    registers: int
    spill_bytes: int
    shared_bytes: int
    occupancy: float
    limiter: str
    active_blocks: int = 0
    active_warps: int = 0
    lift: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelReport:
    """One kernel; the fields are those of ``grader.model.report.KernelReport``."""

    name: str
    verdict: Verdict
    reason: str
    cases: tuple[CaseReport, ...]
    speedup: Speedup | None
    seconds: float | None
    resources: Resources | None
    diagnostics: tuple[Diagnostic, ...]
    lines: tuple[LineProfile, ...] = ()
    sites: tuple[AccessSite, ...] = ()
    printed: str = ""
    roofline: Roofline | None = None
    latency: LatencyHiding | None = None
    suspicion: str = ""
    timings: tuple[Timing, ...] = ()
    code: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Withheld:
    """Points that a review may still grant."""

    score: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One line of the rubric."""

    name: str
    score: float
    max_score: float
    reason: str
    withheld: Withheld | None = None
    code: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One graded submission; the fields are those of ``grader.model.report.Report``."""

    student: str
    lab: str
    file: str
    language: Language
    verdict: Verdict
    reason: str
    score: float
    max_score: float
    parts: tuple[Part, ...]
    kernels: tuple[KernelReport, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    isolation: Isolation | None = None
    lab_version: str = ""
    review: Review | None = None
    adjustment: Adjustment | None = None
    engine: EngineInfo | None = None
    code: str = ""
    time_used: SecondsUsed | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsDocument:
    """A graded class. ``created_at`` is ISO 8601 in UTC."""

    schema_version: int
    grader_version: str
    created_at: str
    engine: EngineInfo
    reports: tuple[Report, ...]


def values_of(document: ResultsDocument) -> values.ResultsDocument:
    """The values in ``document``; its texts stay as they are written."""
    return values.ResultsDocument(
        grader_version=document.grader_version,
        created_at=document.created_at,
        engine=document.engine,
        reports=tuple(map(report_value, document.reports)),
    )


def report_value(report: Report) -> values.Report:
    """The values in one report.

    A text may reveal a hidden case that failed, and only its words would show that. So it counts as revealing one
    wherever a hidden case failed.
    """
    hidden = [_hidden(kernel) for kernel in report.kernels]
    first = next((case for case in hidden if case), None)
    return values.Report(
        student=report.student,
        lab=report.lab,
        file=report.file,
        language=report.language,
        verdict=report.verdict,
        reason=_said(report.reason, first),
        score=report.score,
        max_score=report.max_score,
        parts=tuple(_part(part, first) for part in report.parts),
        kernels=tuple(_kernel(kernel, case) for kernel, case in zip(report.kernels, hidden, strict=True)),
        diagnostics=tuple(_diagnostic(found, None) for found in report.diagnostics),
        isolation=report.isolation,
        lab_version=report.lab_version,
        review=report.review,
        adjustment=report.adjustment,
        engine=report.engine,
        time_used=report.time_used,
    )


def _hidden(kernel: KernelReport) -> str | None:
    """The first hidden case that failed."""
    failed = (
        case.name
        for case in kernel.cases
        if case.visibility is Visibility.HIDDEN and case.verdict is not Verdict.ACCEPTED
    )
    return next(failed, None)


def _kernel(kernel: KernelReport, hidden: str | None) -> values.KernelReport:
    return values.KernelReport(
        name=kernel.name,
        verdict=kernel.verdict,
        reason=_said(kernel.reason, hidden),
        cases=tuple(map(_case, kernel.cases)),
        speedup=kernel.speedup,
        seconds=kernel.seconds,
        resources=None if kernel.resources is None else _resources(kernel.resources),
        diagnostics=tuple(_diagnostic(found, hidden) for found in kernel.diagnostics),
        lines=kernel.lines,
        sites=kernel.sites,
        printed=kernel.printed,
        roofline=kernel.roofline,
        latency=kernel.latency,
        suspicion=_said(kernel.suspicion, None) if kernel.suspicion else None,
        timings=kernel.timings,
    )


def _resources(needs: Resources) -> values.Resources:
    return values.Resources(
        registers=needs.registers,
        spill_bytes=needs.spill_bytes,
        shared_bytes=needs.shared_bytes,
        occupancy=needs.occupancy,
        limiter=needs.limiter,
        active_blocks=needs.active_blocks,
        active_warps=needs.active_warps,
        advice=as_written(needs.lift) if needs.lift else None,
    )


def _case(case: CaseReport) -> values.CaseReport:
    return values.CaseReport(
        name=case.name,
        visibility=case.visibility,
        verdict=case.verdict,
        reason=_said(case.reason, case.name),
        wrong_map=case.wrong_map,
    )


def _part(part: Part, hidden: str | None) -> values.Part:
    withheld = part.withheld
    return values.Part(
        name=part.name,
        score=part.score,
        max_score=part.max_score,
        reason=_said(part.reason, hidden),
        withheld=(
            None
            if withheld is None
            else values.Withheld(score=withheld.score, reason=_said(withheld.reason, hidden))
        ),
    )


def _diagnostic(found: Diagnostic, hidden: str | None) -> finding.Diagnostic:
    return finding.Diagnostic(
        kind=found.kind,
        severity=found.severity,
        message=_said(found.message, None),
        advice=_said(found.advice, None) if found.advice else None,
        kernel=found.kernel,
        file=found.file,
        line=found.line,
        related=found.related,
        threads=found.threads,
        count=found.count,
        case=hidden,
    )


def _said(text: str, case: str | None) -> Reason:
    return Reason(code=AS_WRITTEN, params={"text": text}, case=case)
