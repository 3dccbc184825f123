"""A student withdraws an attempt that still waits in the queue: it is not graded, and takes none of their attempts."""

from grader.course.records import Records
from grader.course.refused import RefusedError
from grader.course.workspace import Workspace
from grader.model.reason import reason
from grader.store.job_values import JobState


def may_withdraw(records: Records, attempt: int) -> bool:
    """Whether the attempt waits."""
    progress = records.store.jobs.progress([attempt]).get(attempt)
    return progress is not None and progress.job.state is JobState.WAITING


def withdraw(workspace: Workspace, attempt: int) -> None:
    """Withdraw ``attempt``. Raises: ``RefusedError`` if it does not wait."""
    with Records(workspace) as records:
        progress = records.store.jobs.progress([attempt]).get(attempt)
        if progress is None or not records.store.jobs.cancel(progress.job.id, [JobState.WAITING]):
            raise RefusedError(reason("withdraw-too-late"))
