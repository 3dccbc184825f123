"""The submissions that a command is about: those at a path, or those in the store."""

from pathlib import Path
from typing import TYPE_CHECKING

from grader.course.notifier import Notifier
from grader.course.select import Selection, select
from grader.course.workspace import Workspace
from grader.intake import Intake
from grader.model.reason import reason

if TYPE_CHECKING:
    from grader.course.received_work import ReceivedWork


def read_submissions(path: Path, workspace: Workspace, selection: Selection, notifier: Notifier) -> Intake:
    """The selected submissions at ``path``, with a warning for each skipped file.

    Raises: ``UserError`` if there is none.
    """
    intake = select(path, workspace, selection)
    _warn(intake, notifier)
    return intake


def received_submissions(workspace: Workspace, selection: Selection, notifier: Notifier) -> "ReceivedWork":
    """The selected attempts in the store. Raises: ``UserError`` if there is none."""
    from grader.course.received_work import received_work  # noqa: PLC0415 - loads the database, which `check` does not need

    work = received_work(workspace, selection)
    _warn(work.intake, notifier)
    return work


def _warn(intake: Intake, notifier: Notifier) -> None:
    for warning in intake.warnings:
        notifier.warn(reason("file-warning", warning=warning))
