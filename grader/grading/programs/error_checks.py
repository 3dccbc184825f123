"""Which failed calls a program notices: each is made to fail once, on a small case."""

import signal
from collections.abc import Callable, Iterator, Sequence

from grader.grading.programs.case_run import CaseRun
from grader.model.facts import ErrorCheck
from grader.model.program import CheckableCall

MOST_CALLS = 16
"""At most so many calls are made to fail."""


RunWithFailure = Callable[[int, float], CaseRun]
"""Runs a program in which the call with a number fails, for at most so many seconds."""


def error_checks(run: RunWithFailure, calls: Sequence[CheckableCall], seconds: float) -> Iterator[ErrorCheck]:
    """Let each of ``calls`` fail in a run of its own, for ``seconds`` in all.

    A failure is not noticed if no time is left for it, because the program went on after another one.
    """
    left = seconds
    for call in calls[:MOST_CALLS]:
        is_noticed = False
        if left > 0:
            done = run(call.number, left)
            left -= done.run.counted_seconds
            is_noticed = _is_noticed(done)
        yield ErrorCheck(call=call, is_noticed=is_noticed)


def _is_noticed(done: CaseRun) -> bool:
    """Whether the program said that it failed: by exit code, exception, ``abort`` or what its function returned."""
    fault = done.result.fault
    if fault is None:
        return False
    if fault.reason.code == "program-crashed":
        return fault.reason.params["signal"] == signal.SIGABRT
    return fault.reason.code in {"program-exit-code", "program-raises", "function-reports-failure"}
