"""Turn lost workers and workers' error reports into faults of the submission or infrastructure errors."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from grader.compile.messages import clean
from grader.errors import InfrastructureError, UserError
from grader.grading.sanitize_reason import MAX_REASON
from grader.logs import Event, log
from grader.model.reason import reason
from grader.model.run import Fault
from grader.model.verdict import Verdict
from grader.sandbox.port import LossCause, WorkerLostError
from grader.worker.messages import RequestKind

T = TypeVar("T")

_MAX_DEATHS = 3
"""Worker deaths after which the submission is at fault."""

_LOSS_VERDICTS = {
    LossCause.TIMED_OUT: Verdict.TIMED_OUT,
    LossCause.OVER_MEMORY: Verdict.OVER_THE_LIMIT,
    LossCause.OVER_PROCESSES: Verdict.OVER_THE_LIMIT,
    LossCause.DIED: Verdict.CRASHED,
    LossCause.GARBLED: Verdict.FAILED_TO_BUILD,
}

_LOST = {
    RequestKind.TRANSLATE: "lost-while-building",
    RequestKind.ASSEMBLE: "lost-while-assembling",
    RequestKind.RUN: "lost-while-running",
}

_DOING = {
    RequestKind.TRANSLATE: "while building",
    RequestKind.ASSEMBLE: "while assembling its code",
    RequestKind.PUT_INPUTS: "during the transfer of its inputs",
    RequestKind.RUN: "while running",
    RequestKind.COMPARE: "while being timed",
}

_STUDENT_LOSSES_OF_A_RUN = {LossCause.TIMED_OUT, LossCause.OVER_MEMORY}
"""Device code can only exceed time or memory; any other death of a run worker is an infrastructure fault."""


@contextmanager
def as_infrastructure_error(kind: RequestKind) -> Iterator[None]:
    """Turn an error that a worker reports during a request into an infrastructure error of this submission.

    A worker's report before its first request can be trusted. A later one may be forged by the submission, so it
    must not stop the grading of other submissions. Raises: ``InfrastructureError``.
    """
    try:
        yield
    except (InfrastructureError, UserError) as error:
        log(Event.WORKER_REPORTED_ERROR, request=kind, error=str(error))
        msg = f"{_DOING[kind]}, a worker said that it could not: {clean(str(error), MAX_REASON)}"
        raise InfrastructureError(msg) from None


def retry_on_worker_death(ask: Callable[[], T]) -> T:
    """Result of ``ask``, retried if a worker dies, because another submission may have killed it."""
    for attempt in range(1, _MAX_DEATHS):
        try:
            return ask()
        except WorkerLostError as loss:
            if loss.cause is not LossCause.DIED:
                raise
            log(Event.BUILD_RETRIED, attempt=attempt, cause=loss.cause)
    return ask()


def build_fault(loss: WorkerLostError, kind: RequestKind) -> Fault:
    """Fault of a submission after the loss of its build worker, which may have run student code."""
    return _charged(loss, kind)


def run_fault(loss: WorkerLostError) -> Fault:
    """Fault of a submission after the loss of its run worker. Raises: ``InfrastructureError`` if it is not at fault."""
    if loss.cause not in _STUDENT_LOSSES_OF_A_RUN:
        msg = f"a run worker was lost: {loss}: {clean(loss.detail, MAX_REASON)}"
        raise InfrastructureError(msg) from loss
    return _charged(loss, RequestKind.RUN)


def _charged(loss: WorkerLostError, kind: RequestKind) -> Fault:
    verdict = _LOSS_VERDICTS[loss.cause]
    log(Event.LOSS_CHARGED, request=kind, cause=loss.cause, verdict=verdict)
    return Fault(verdict=verdict, reason=reason(_LOST[kind], cause=loss.reason))
