"""Compare two gradings: results files, or one of them with what the store holds now."""

from pathlib import Path

from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.model.report import Report
from grader.report import results_json
from grader.report.changes import ReportChange, changes


def diff(workspace: Workspace, before: Path, after: Path | None) -> tuple[ReportChange, ...]:
    """The results that differ between two results files; without ``after``, between one and the store.

    Raises: ``UserError`` for a file that is no results file.
    """
    old = _reports(before)
    if after is not None:
        return changes(old, _reports(after))
    with Records(workspace) as records:
        return changes(old, (result.report for result in records.latest_all()))


def _reports(path: Path) -> tuple[Report, ...]:
    try:
        data = path.read_bytes()
    except OSError as error:
        msg = f"{path} cannot be read: {error.strerror}."
        raise UserError(msg, hint="Name a file that `grader grade` wrote with --json.") from error
    return results_json.load(data, str(path)).reports
