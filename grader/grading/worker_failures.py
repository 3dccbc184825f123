"""What it means for a submission that a worker is lost over it, or says that it cannot do what it was asked."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from grader.compile.messages import clean
from grader.errors import InfrastructureError, UserError
from grader.grading.sanitize_worker_output import MAX_REASON
from grader.model.run import Fault
from grader.model.verdict import Verdict
from grader.sandbox.port import LossCause, WorkerLostError
from grader.worker.messages import RequestKind

T = TypeVar("T")

_DEATHS = 3
"""After how many deaths of its worker a submission is the one to blame."""

_LOSS_VERDICTS = {
    LossCause.TIMED_OUT: Verdict.TIMED_OUT,
    LossCause.OVER_MEMORY: Verdict.OVER_THE_LIMIT,
    LossCause.OVER_PROCESSES: Verdict.OVER_THE_LIMIT,
    LossCause.DIED: Verdict.CRASHED,
    LossCause.GARBLED: Verdict.FAILED_TO_BUILD,
}

_DOING = {
    RequestKind.TRANSLATE: "while building",
    RequestKind.ASSEMBLE: "while assembling its code",
    RequestKind.PUT_INPUTS: "while it was given its inputs",
    RequestKind.RUN: "while running",
    RequestKind.COMPARE: "while being timed",
}

_STUDENT_LOSSES_OF_A_RUN = {LossCause.TIMED_OUT, LossCause.OVER_MEMORY}
"""Device code can only take too long or too much; a run worker that dies otherwise is a fault of ours."""


@contextmanager
def as_infrastructure_error(kind: RequestKind) -> Iterator[None]:
    """Within it a worker is asked, and what it says that it cannot do is a fault with this one submission.

    A worker that cannot start says so before it has heard of any, so its words are its own; later the submission may
    have spoken for it, and stops no one else. Raises: ``InfrastructureError``.
    """
    try:
        yield
    except (InfrastructureError, UserError) as error:
        msg = f"{_DOING[kind]}, a worker said that it could not: {clean(str(error), MAX_REASON)}"
        raise InfrastructureError(msg) from None


def retry_on_worker_death(ask: Callable[[], T]) -> T:
    """What ``ask`` gives. Anyone may have killed a worker that died; the last death is the submission's own doing."""
    for _ in range(_DEATHS - 1):
        try:
            return ask()
        except WorkerLostError as loss:
            if loss.cause is not LossCause.DIED:
                raise
    return ask()


def build_fault(loss: WorkerLostError, kind: RequestKind) -> Fault:
    """The submission's outcome where the worker that built it was lost: it may have run the student's code."""
    return Fault(verdict=_LOSS_VERDICTS[loss.cause], reason=f"{_DOING[kind]}, {loss}")


def run_fault(loss: WorkerLostError) -> Fault:
    """The submission's outcome where its run worker was lost. Raises: ``InfrastructureError`` where it is ours."""
    if loss.cause not in _STUDENT_LOSSES_OF_A_RUN:
        msg = f"a run worker was lost: {loss}: {clean(loss.detail, MAX_REASON)}"
        raise InfrastructureError(msg) from loss
    return Fault(verdict=_LOSS_VERDICTS[loss.cause], reason=f"while running, {loss}")
