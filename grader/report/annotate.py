"""A student's source annotated with findings and per-line figures."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.location import SourceLocation
from grader.model.reason import Reason, reason
from grader.model.report import Report
from grader.model.submission import SourceFile
from grader.report.highlight import Piece, highlight
from grader.report.profile import LineFigures

_RACE = (reason("tag-race-here"), reason("tag-race-there"))
_TAGS = {
    DiagnosticKind.SHARED_RACE: _RACE,
    DiagnosticKind.GLOBAL_RACE: _RACE,
    DiagnosticKind.ORDER_DEPENDENCE: _RACE,
    DiagnosticKind.LANE_HAZARD: (reason("tag-exchange-here"), reason("tag-exchange-there")),
    DiagnosticKind.DIVERGENT_BARRIER: (reason("tag-barrier-here"), reason("tag-barrier-there")),
    DiagnosticKind.ENDLESS_WAIT: (reason("tag-wait-here"), reason("tag-wait-there")),
}
"""Tags of a finding with related lines: the one beside its own line, the one beside each related line."""

_DEFAULT_TAGS = (reason("tag-here"), reason("tag-there"))

_NO_LINE = 0
"""Stands for an unknown line; source lines are numbered from 1."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A diagnostic, and the kernel it belongs to if it belongs to one. ``also`` are other kernels with the mistake."""

    diagnostic: Diagnostic
    kernel: str | None
    also: tuple[str, ...] = ()

    @property
    def location(self) -> SourceLocation:
        """The source location of the diagnostic."""
        return SourceLocation(file=self.diagnostic.file, line=self.diagnostic.line)

    @property
    def kernels(self) -> str:
        """The names of all its kernels; empty if it belongs to none."""
        return ", ".join((self.kernel, *self.also)) if self.kernel else ""

    @property
    def related(self) -> tuple[SourceLocation, ...]:
        """The other source lines involved."""
        return tuple(dict.fromkeys(each for each in self.diagnostic.related if each != self.location))


@dataclass(frozen=True, slots=True)
class LineTag:
    """A short text beside a line that belongs to a finding with several lines."""

    said: Reason
    severity: Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A source line to show. ``number`` is 1-based; ``figures`` is ``None`` where the line was not profiled."""

    location: SourceLocation
    number: int
    pieces: tuple[Piece, ...]
    findings: tuple[Finding, ...]
    tags: tuple[LineTag, ...]
    figures: LineFigures | None

    @property
    def indent(self) -> str:
        """The leading spaces of the line."""
        text = "".join(piece.text for piece in self.pieces)
        return text[: len(text) - len(text.lstrip(" "))]

    @property
    def severity(self) -> Severity | None:
        """The highest severity among the findings at this line."""
        return min((f.diagnostic.severity for f in self.findings), key=lambda s: s.rank, default=None)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Consecutive source lines; the file has ``skipped`` lines between the previous excerpt and this one."""

    lines: tuple[Line, ...]
    skipped: int


@dataclass(frozen=True, slots=True)
class AnnotatedFile:
    """The excerpts of one file. ``length`` is the number of lines of the whole file."""

    name: str
    excerpts: tuple[Excerpt, ...]
    length: int

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines of the excerpts."""
        return tuple(line for excerpt in self.excerpts for line in excerpt.lines)


def findings(report: Report) -> tuple[Finding, ...]:
    """All findings of a submission: build messages, then kernel by kernel, the most severe first.

    A mistake in a function that several kernels call is one finding, of the first of them.
    """
    of_kernels = (Finding(d, kernel.name) for kernel in report.kernels for d in _sorted(kernel.diagnostics))
    return (*(Finding(d, None) for d in _sorted(report.diagnostics)), *_by_cause(of_kernels))


def _by_cause(found: Iterable[Finding]) -> Iterable[Finding]:
    known: list[Finding] = []
    for finding in found:
        index = next((index for index, other in enumerate(known) if _is_one_mistake(other, finding)), None)
        if index is None:
            known.append(finding)
        else:
            known[index] = _joined(known[index], finding)
    return known


def _is_one_mistake(one: Finding, other: Finding) -> bool:
    """Whether two findings have one cause. Without a line, they do only in one kernel."""
    here, there = one.diagnostic, other.diagnostic
    if here.line is None or there.line is None:
        return one.kernel == other.kernel and here.identity == there.identity
    return here.shares_cause(there)


def _joined(known: Finding, other: Finding) -> Finding:
    count = known.diagnostic.count + other.diagnostic.count
    also = (*known.also, *((other.kernel,) if other.kernel else ()))
    return replace(known, diagnostic=replace(known.diagnostic, count=count), also=also)


def without_line(found: Iterable[Finding], files: Sequence[SourceFile]) -> tuple[Finding, ...]:
    """The findings that have no line in any of ``files``."""
    lengths = {file.name: len(highlight(file)) for file in files}
    return tuple(
        finding
        for finding in found
        if finding.diagnostic.line is None
        or not 1 <= finding.diagnostic.line <= lengths.get(finding.diagnostic.file or "", 0)
    )


def annotate(
    file: SourceFile,
    found: Iterable[Finding],
    context: int | None,
    figures: Mapping[SourceLocation, LineFigures] | None = None,
) -> AnnotatedFile:
    """``file`` with the lines that have findings, tags or ``figures``, and ``context`` lines around each.

    ``context=None`` keeps the whole file.
    """
    pieces = highlight(file)
    at_line: dict[int, list[Finding]] = defaultdict(list)
    tags: dict[int, list[LineTag]] = defaultdict(list)
    for finding in found:
        if finding.location.file == file.name:
            at_line[finding.location.line or _NO_LINE].append(finding)
        for location, tag in _tags(finding):
            if location.file == file.name and tag not in tags[location.line or _NO_LINE]:
                tags[location.line or _NO_LINE].append(tag)
    profiled = {
        location.line or _NO_LINE: line
        for location, line in (figures or {}).items()
        if location.file == file.name
    }
    numbers = range(1, len(pieces) + 1)
    shown = set(numbers)
    if context is not None:
        noted = {n for n in (*at_line, *tags, *profiled) if n in shown}
        shown &= {n + step for n in noted for step in range(-context, context + 1)}
    lines = [
        Line(
            location=SourceLocation(file=file.name, line=n),
            number=n,
            pieces=pieces[n - 1],
            findings=tuple(at_line.get(n, ())),
            tags=tuple(tags.get(n, ())),
            figures=profiled.get(n),
        )
        for n in sorted(shown)
    ]
    return AnnotatedFile(file.name, _runs(lines), len(pieces))


def _tags(finding: Finding) -> Iterable[tuple[SourceLocation, LineTag]]:
    if finding.related:
        here, there = _TAGS.get(finding.diagnostic.kind, _DEFAULT_TAGS)
        severity = finding.diagnostic.severity
        yield finding.location, LineTag(here, severity)
        for location in finding.related:
            yield location, LineTag(there, severity)


def _sorted(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    return sorted(diagnostics, key=lambda d: d.order)


def _runs(lines: list[Line]) -> tuple[Excerpt, ...]:
    runs: list[list[Line]] = []
    for line in lines:
        if runs and runs[-1][-1].number + 1 == line.number:
            runs[-1].append(line)
        else:
            runs.append([line])
    ends = [0, *(run[-1].number for run in runs)]
    return tuple(Excerpt(tuple(run), run[0].number - end - 1) for run, end in zip(runs, ends, strict=False))
