"""What a report says of a program's run as a whole: how it ended, and where its times come from."""

import signal

from grader.model.program import ProgramRun
from grader.model.reason import Reason, reason
from grader.report import quantities
from grader.report.text import safe_name

_SIGNALLED = 128
_CRASHES = frozenset({signal.SIGILL, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV})


def end_of(run: ProgramRun, device: str) -> Reason:
    """How ``run`` ended on ``device``."""
    code, name = run.exit_code, safe_name(device)
    if run.is_measured and (code < 0 or not run.calls):  # nothing was recorded
        return (
            reason("program-killed-on-gpu", signal=-code, device=name)
            if code < 0
            else reason("program-ended-unrecorded", code=code, device=name)
        )
    if run.is_late:
        return reason(
            "program-ran-out-of-time", seconds=run.counted_seconds, calls=run.calls, launches=run.launches
        )
    if code < 0 or (_signal(run) and not run.has_errors and not run.is_measured):
        said = "program-killed" if run.has_errors or run.is_measured else "program-killed-unexplained"
        return reason(said, signal=_signal(run), calls=run.calls, launches=run.launches)
    return reason(
        "program-ended-on-gpu" if run.is_measured else "program-ended",
        code=code,
        calls=run.calls,
        launches=run.launches,
        time=quantities.seconds(run.seconds),
        device=name,
    )


def _signal(run: ProgramRun) -> int:
    """The signal by which the program crashed or was ended, 0 if none did. A sandbox reports it as an exit code."""
    if run.exit_code < 0:
        return -run.exit_code
    number = run.exit_code - _SIGNALLED
    return number if number in _CRASHES else 0


def times_of(run: ProgramRun, device: str) -> Reason:
    """Where the times of a timeline come from."""
    return reason("timeline-note-measured" if run.is_measured else "timeline-note", device=safe_name(device))


def is_clean(run: ProgramRun) -> bool:
    """Whether faults were looked for and none was found."""
    is_checked = run.is_checked and not run.is_late and not _signal(run)
    return is_checked and not run.diagnostics and run.refused is None
