"""A student's source with what was found at its lines."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grader.model.diagnostic import Diagnostic, Severity
from grader.model.report import Report
from grader.model.submission import SourceFile
from grader.report.text import source_lines

_GRAVEST_FIRST = (Severity.ERROR, Severity.WARNING, Severity.NOTE)


@dataclass(frozen=True, slots=True)
class Finding:
    """A diagnostic and the kernel it belongs to, if to one."""

    diagnostic: Diagnostic
    kernel: str | None


@dataclass(frozen=True, slots=True)
class Line:
    """A source line to show. ``number`` is 1-based; ``severity`` is that of its gravest finding."""

    number: int
    text: str
    findings: tuple[Finding, ...]

    @property
    def severity(self) -> Severity | None:
        """The gravest severity at this line, if anything was found here."""
        return min((f.diagnostic.severity for f in self.findings), key=_GRAVEST_FIRST.index, default=None)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A run of neighbouring source lines."""

    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class AnnotatedFile:
    """One file: the excerpts around its findings, or, where it was asked for whole, all of it as one excerpt."""

    name: str
    excerpts: tuple[Excerpt, ...]
    length: int


def findings(report: Report) -> tuple[Finding, ...]:
    """Everything that was found in a submission: build messages first, then kernel by kernel, gravest first."""
    of_kernels = (Finding(d, kernel.name) for kernel in report.kernels for d in _sorted(kernel.diagnostics))
    return (*(Finding(d, None) for d in _sorted(report.diagnostics)), *of_kernels)


def unplaced(found: Iterable[Finding], files: Sequence[SourceFile]) -> tuple[Finding, ...]:
    """Those of ``found`` that have no line in any of ``files``."""
    lengths = {file.name: len(source_lines(file)) for file in files}
    return tuple(
        finding
        for finding in found
        if finding.diagnostic.line is None
        or not 1 <= finding.diagnostic.line <= lengths.get(finding.diagnostic.file or "", 0)
    )


def annotate(file: SourceFile, found: Iterable[Finding], context: int | None) -> AnnotatedFile:
    """``file`` with its findings; ``context`` lines around each are shown, all lines for ``None``."""
    texts = source_lines(file)
    at_line: dict[int, list[Finding]] = {}
    for finding in found:
        line = finding.diagnostic.line
        if finding.diagnostic.file == file.name and line is not None and 1 <= line <= len(texts):
            at_line.setdefault(line, []).append(finding)
    numbers = range(1, len(texts) + 1)
    shown = set(numbers)
    if context is not None:
        shown &= {n + step for n in at_line for step in range(-context, context + 1)}
    lines = [Line(n, texts[n - 1], tuple(at_line.get(n, ()))) for n in sorted(shown)]
    return AnnotatedFile(file.name, _runs(lines), len(texts))


def _sorted(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    return sorted(diagnostics, key=lambda d: (_GRAVEST_FIRST.index(d.severity), d.file or "", d.line or 0))


def _runs(lines: list[Line]) -> tuple[Excerpt, ...]:
    runs: list[list[Line]] = []
    for line in lines:
        if runs and runs[-1][-1].number + 1 == line.number:
            runs[-1].append(line)
        else:
            runs.append([line])
    return tuple(Excerpt(tuple(run)) for run in runs)
