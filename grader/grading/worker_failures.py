"""Decide who is at fault for a worker that is lost after it received a submission, and turn it into a verdict.

Such a worker may say and do anything, so a loss alone never proves a fault of the machine. Where the machine may be at
fault, the request is repeated in a new worker, and a known-good kernel shows each time whether the machine works.
"""

from collections.abc import Callable
from itertools import count
from typing import NoReturn, TypeVar

from grader.compile.messages import clean
from grader.errors import InfrastructureError
from grader.grading.sanitize_reason import MAX_REASON
from grader.logs import Event, log
from grader.model.reason import reason
from grader.model.run import Fault
from grader.model.verdict import Verdict
from grader.sandbox.port import LossCause, WorkerLostError
from grader.worker.messages import RequestKind

T = TypeVar("T")

Control = Callable[[WorkerLostError], None]
"""Runs after the loss of a worker, and raises ``InfrastructureError`` if the machine is at fault."""

_ATTEMPTS = 3
"""Losses after which the submission is at fault, if the machine works."""

_BUILD_VERDICTS = {
    LossCause.TIMED_OUT: Verdict.TIMED_OUT,
    LossCause.OVER_MEMORY: Verdict.OVER_THE_LIMIT,
    LossCause.OVER_PROCESSES: Verdict.OVER_THE_LIMIT,
    LossCause.OUT_OF_SECONDS: Verdict.OVER_THE_LIMIT,
    LossCause.IN_TRANSFER: Verdict.CRASHED,
    LossCause.DIED: Verdict.CRASHED,
    LossCause.GARBLED: Verdict.FAILED_TO_BUILD,
    LossCause.REPORTED: Verdict.FAILED_TO_BUILD,
}

_RUN_VERDICTS = _BUILD_VERDICTS | {
    LossCause.GARBLED: Verdict.CRASHED,
    LossCause.REPORTED: Verdict.CRASHED,
}

_LOST = {
    RequestKind.TRANSLATE: "lost-while-building",
    RequestKind.ASSEMBLE: "lost-while-assembling",
    RequestKind.RUN: "lost-while-running",
    RequestKind.RUN_BLOCKS: "lost-while-running",
    RequestKind.COMPARE: "lost-while-timed",
}

_UNPROVEN_IN_BUILDS = {LossCause.DIED, LossCause.REPORTED}
"""Losses of a build worker that the machine may have caused: another submission may have killed it, for example."""

_PROVEN_IN_RUNS = {LossCause.TIMED_OUT, LossCause.OVER_MEMORY, LossCause.OUT_OF_SECONDS}
"""The only losses of a run worker that device code causes by itself."""


def proven_in_build(ask: Callable[[], T], control: Control) -> T:
    """Result of ``ask``, a request to a build worker.

    Raises: ``WorkerLostError``: the submission is at fault; ``InfrastructureError`` of ``control``: the machine is.
    """
    return _proven(ask, control, lambda cause: cause not in _UNPROVEN_IN_BUILDS)


def proven_in_run(ask: Callable[[], T], control: Control) -> T:
    """Result of ``ask``, a request to a run worker. Raises: as ``proven_in_build``."""
    return _proven(ask, control, lambda cause: cause in _PROVEN_IN_RUNS)


def blame_machine(loss: WorkerLostError) -> NoReturn:
    """The control of trusted code. Raises: ``InfrastructureError``."""
    msg = f"a worker was lost: {loss}: {clean(loss.detail, MAX_REASON)}"
    raise InfrastructureError(msg) from loss


def blame_code(_: WorkerLostError) -> None:
    """The control of code that is itself a control: its caller says what its failure means."""


def build_fault(loss: WorkerLostError, kind: RequestKind) -> Fault:
    """Fault of a submission after the loss of its build worker."""
    return _charged(loss, kind, _BUILD_VERDICTS[loss.cause])


def run_fault(loss: WorkerLostError, kind: RequestKind) -> Fault:
    """Fault of a submission after the loss of its run worker."""
    return _charged(loss, kind, _RUN_VERDICTS[loss.cause])


def _proven(ask: Callable[[], T], control: Control, is_proven: Callable[[LossCause], bool]) -> T:
    for attempt in count(1):
        try:
            return ask()
        except WorkerLostError as loss:
            if is_proven(loss.cause):
                raise
            log(Event.REQUEST_RETRIED, attempt=attempt, cause=loss.cause)
            control(loss)
            if attempt == _ATTEMPTS:
                raise
    raise AssertionError


def _charged(loss: WorkerLostError, kind: RequestKind, verdict: Verdict) -> Fault:
    log(Event.LOSS_CHARGED, request=kind, cause=loss.cause, verdict=verdict)
    if loss.cause is LossCause.OUT_OF_SECONDS:
        return Fault(verdict=verdict, reason=loss.reason)
    return Fault(verdict=verdict, reason=reason(_LOST[kind], cause=loss.reason))
