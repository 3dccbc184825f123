"""Equal mistakes of a class: one kind of finding at lines of one shape."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from grader.course.records import Result
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.location import SourceLocation
from grader.model.reason import Reason
from grader.model.submission import SourceFile
from grader.model.text import natural_key
from grader.report.annotate import findings
from grader.report.text import source_lines
from grader.similarity.line_shapes import line_shapes
from grader.store.values import SubmissionKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """A finding that ``students`` have at lines of one shape. ``message`` and ``source`` are those of the first."""

    kind: DiagnosticKind
    severity: Severity
    message: Reason
    location: SourceLocation
    source: str
    students: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    student: str
    diagnostic: Diagnostic
    source: str


def mistakes(
    results: Iterable[Result], files: Callable[[SubmissionKey], Sequence[SourceFile]]
) -> tuple[Mistake, ...]:
    """The clusters of equal mistakes, the most frequent first; findings without a stored line are left out."""
    clusters: dict[tuple[object, ...], list[_Found]] = defaultdict(list)
    for result in sorted(results, key=lambda each: natural_key(each.score.key.student)):
        for diagnostic, shape, source in _located(result, files(result.score.key)):
            cause = (diagnostic.kind, diagnostic.message.code, shape)
            clusters[cause].append(_Found(result.score.key.student, diagnostic, source))
    return tuple(sorted(map(_mistake, clusters.values()), key=_order))


def _located(result: Result, files: Sequence[SourceFile]) -> Iterable[tuple[Diagnostic, str, str]]:
    language = result.report.language
    shapes = {file.name: line_shapes(file, language) for file in files}
    lines = {file.name: source_lines(file) for file in files}
    for finding in findings(result.report):
        found = finding.diagnostic
        file, line = found.file or "", found.line or 0
        shape = shapes.get(file, {}).get(line)
        if shape is not None and found.kind is not DiagnosticKind.STAFF_COMMENT:
            yield found, shape, lines[file][line - 1].strip()


def _mistake(found: Sequence[_Found]) -> Mistake:
    first = found[0].diagnostic
    return Mistake(
        kind=first.kind,
        severity=first.severity,
        message=first.message,
        location=SourceLocation(file=first.file, line=first.line),
        source=found[0].source,
        students=tuple(dict.fromkeys(each.student for each in found)),
    )


def _order(mistake: Mistake) -> tuple[object, ...]:
    return -len(mistake.students), mistake.severity.rank, mistake.kind.value, mistake.source
