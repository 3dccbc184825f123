"""What staff say to a student about a submission: answers, and comments beside lines of its files."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.model.diagnostic import DiagnosticKind
from grader.model.reason import Reason
from grader.model.report import Report
from grader.model.submission import SourceFile
from grader.report.annotate import AnnotatedFile, annotate, findings, without_line

_CONTEXT = 1
"""Source lines above and below a line with a comment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remarks:
    """What staff say: ``texts`` about the whole, and ``files`` with the lines that have a comment."""

    texts: tuple[Reason, ...] = ()
    files: tuple[AnnotatedFile, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.texts or self.files)


def remarks(report: Report, files: Sequence[SourceFile]) -> Remarks:
    """The remarks of staff in ``report``; one at a line that ``files`` lack is a text."""
    said = [each for each in findings(report) if each.diagnostic.kind is DiagnosticKind.STAFF_COMMENT]
    loose = without_line(said, files)
    beside = {each.location.file for each in said if each not in loose}
    return Remarks(
        texts=tuple(each.diagnostic.message for each in loose),
        files=tuple(annotate(file, said, _CONTEXT) for file in files if file.name in beside),
    )
