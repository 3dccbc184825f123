"""Where a mutant's mistake must be found: only at the lines it marks with ``<- here``."""

import re
from collections.abc import Iterable
from pathlib import Path

from grader.judge.findings import about_speed
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity

_MARK = re.compile(r"(?://|#)\s*<- here\s*$")


def marked_lines(path: Path) -> frozenset[int]:
    """The lines (1-based) of a source file that end in ``// <- here`` or ``# <- here``."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return frozenset(number for number, line in enumerate(lines, 1) if _MARK.search(line))


def is_alarm(diagnostic: Diagnostic) -> bool:
    """Whether ``diagnostic`` reports an error, not merely slow code."""
    return diagnostic.severity is not Severity.NOTE and not about_speed(diagnostic)


def misplaced(
    diagnostics: Iterable[Diagnostic], marked: frozenset[int], wanted: DiagnosticKind | None
) -> str | None:
    """Describe what is wrong with the locations of a mutant's findings; ``None`` if they are right.

    If lines are marked, a finding of the ``wanted`` kind must be at one of them. If the mutant marks lines or promises
    no diagnostic, every alarm, or the other line of the pair it names, must be at a marked line.
    """
    found = list(diagnostics)
    if marked and wanted and not any(d.kind is wanted and d.line in marked for d in found):
        lines = sorted({d.line or 0 for d in found if d.kind is wanted})
        return f"no {wanted} at a marked line, only at {lines}"
    if wanted and not marked:
        return None
    for diagnostic in filter(is_alarm, found):
        places = {diagnostic.line, *(place.line for place in diagnostic.related)}
        if not places & marked:
            return f"{diagnostic.kind} at line {diagnostic.line}, which is not marked"
    return None
