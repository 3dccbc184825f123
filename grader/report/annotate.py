"""A student's source with what was found at its lines, and what they did."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity, SourceLocation
from grader.model.report import Report
from grader.model.submission import SourceFile
from grader.report.highlight import Piece, highlight
from grader.report.profile import LineFigures

_RACE = ("one side of the race", "the other side of the race")
_SIDES = {
    DiagnosticKind.SHARED_RACE: _RACE,
    DiagnosticKind.GLOBAL_RACE: _RACE,
    DiagnosticKind.ORDER_DEPENDENCE: _RACE,
    DiagnosticKind.LANE_HAZARD: ("one side of the exchange", "the other side of the exchange"),
    DiagnosticKind.DIVERGENT_BARRIER: ("some threads wait here", "others went another way here"),
    DiagnosticKind.ENDLESS_WAIT: ("waits here", "for this"),
}
"""What is written beside the line of a finding that has related lines, and beside those."""

_ANY_SIDES = ("found here", "has a part in it")

_NOWHERE = 0
"""The line of what has none: no file has such a line."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A diagnostic and the kernel it belongs to, if to one."""

    diagnostic: Diagnostic
    kernel: str | None

    @property
    def place(self) -> SourceLocation:
        """Where it was found."""
        return SourceLocation(file=self.diagnostic.file, line=self.diagnostic.line)

    @property
    def related(self) -> tuple[SourceLocation, ...]:
        """The other lines that have a part in it."""
        return tuple(dict.fromkeys(place for place in self.diagnostic.related if place != self.place))


@dataclass(frozen=True, slots=True)
class Mark:
    """A few words beside a line that is one of several which make a finding."""

    text: str
    severity: Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A source line to show. ``number`` is 1-based; ``figures`` are what it did, where that is known."""

    place: SourceLocation
    number: int
    pieces: tuple[Piece, ...]
    findings: tuple[Finding, ...]
    marks: tuple[Mark, ...]
    figures: LineFigures | None

    @property
    def indent(self) -> str:
        """The blanks that the line begins with."""
        text = "".join(piece.text for piece in self.pieces)
        return text[: len(text) - len(text.lstrip(" "))]

    @property
    def severity(self) -> Severity | None:
        """The most_severe severity at this line, if anything was found here."""
        return min((f.diagnostic.severity for f in self.findings), key=lambda s: s.rank, default=None)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A run of neighbouring source lines; ``skipped`` lines of the file stand between the one before and this."""

    lines: tuple[Line, ...]
    skipped: int


@dataclass(frozen=True, slots=True)
class AnnotatedFile:
    """One file: the excerpts that were asked for. ``length`` counts the lines of the whole file."""

    name: str
    excerpts: tuple[Excerpt, ...]
    length: int

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines that are shown."""
        return tuple(line for excerpt in self.excerpts for line in excerpt.lines)


def findings(report: Report) -> tuple[Finding, ...]:
    """Everything that was found in a submission: build messages first, then kernel by kernel, most_severe first."""
    of_kernels = (Finding(d, kernel.name) for kernel in report.kernels for d in _sorted(kernel.diagnostics))
    return (*(Finding(d, None) for d in _sorted(report.diagnostics)), *of_kernels)


def unplaced(found: Iterable[Finding], files: Sequence[SourceFile]) -> tuple[Finding, ...]:
    """Those of ``found`` that have no line in any of ``files``."""
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
    """``file`` with its findings, the lines related to them and the lines that have ``figures``.

    ``context`` lines around each of those are shown, all lines for ``None``.
    """
    pieces = highlight(file)
    at_line: dict[int, list[Finding]] = defaultdict(list)
    marks: dict[int, list[Mark]] = defaultdict(list)
    for finding in found:
        if finding.place.file == file.name:
            at_line[finding.place.line or _NOWHERE].append(finding)
        for place, mark in _marks(finding):
            if place.file == file.name and mark not in marks[place.line or _NOWHERE]:
                marks[place.line or _NOWHERE].append(mark)
    did = {place.line or _NOWHERE: line for place, line in (figures or {}).items() if place.file == file.name}
    numbers = range(1, len(pieces) + 1)
    shown = set(numbers)
    if context is not None:
        noted = {n for n in (*at_line, *marks, *did) if n in shown}
        shown &= {n + step for n in noted for step in range(-context, context + 1)}
    lines = [
        Line(
            place=SourceLocation(file=file.name, line=n),
            number=n,
            pieces=pieces[n - 1],
            findings=tuple(at_line.get(n, ())),
            marks=tuple(marks.get(n, ())),
            figures=did.get(n),
        )
        for n in sorted(shown)
    ]
    return AnnotatedFile(file.name, _runs(lines), len(pieces))


def _marks(finding: Finding) -> Iterable[tuple[SourceLocation, Mark]]:
    if finding.related:
        here, there = _SIDES.get(finding.diagnostic.kind, _ANY_SIDES)
        severity = finding.diagnostic.severity
        yield finding.place, Mark(here, severity)
        for place in finding.related:
            yield place, Mark(there, severity)


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
