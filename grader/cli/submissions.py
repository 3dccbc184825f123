"""The submissions at a path of the command line."""

from pathlib import Path

from grader.course.notifier import Notifier
from grader.course.select import Selection, select
from grader.course.workspace import Workspace
from grader.intake import Intake
from grader.model.reason import reason


def read_submissions(path: Path, workspace: Workspace, selection: Selection, notifier: Notifier) -> Intake:
    """The selected submissions at ``path``, with a warning for each skipped file.

    Raises: ``UserError`` if there is none.
    """
    intake = select(path, workspace, selection)
    for warning in intake.warnings:
        notifier.warn(reason("file-warning", warning=warning))
    return intake
