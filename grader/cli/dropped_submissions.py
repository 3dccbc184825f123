"""The submissions that an earlier results file has and the new one does not."""

from pathlib import Path

from grader.cli.paths import relative
from grader.errors import UserError
from grader.model.report import ResultsDocument
from grader.report import results_json


def dropped_note(file: Path, document: ResultsDocument) -> str:
    """A sentence about the submissions that ``file`` loses when ``document`` replaces it; empty if none."""
    try:
        before = results_json.load(file.read_bytes())
    except (OSError, UserError):
        return ""
    held, holds = _submissions(before), _submissions(document)
    if held <= holds:
        return ""
    lost = len(held - holds)
    are, them = ("is", "it") if lost == 1 else ("are", "them")
    return (
        f"{relative(file)} held {_counted(len(held))} and now holds {len(holds)}; {lost} of the former {are} left out: "
        f"grade the whole class's folder to have {them} again (what has not changed is not graded again)."
    )


def _submissions(document: ResultsDocument) -> set[tuple[str, str]]:
    return {(report.student, report.lab) for report in document.reports}


def _counted(number: int) -> str:
    return "1 submission" if number == 1 else f"{number} submissions"
