"""What a report says of a program's run as a whole: how it ended, and where its times come from."""

from grader.model.program import ProgramRun
from grader.model.reason import Reason, reason
from grader.report import quantities
from grader.report.text import safe_name


def end_of(run: ProgramRun, device: str) -> Reason:
    """How ``run`` ended on ``device``."""
    code, name = run.exit_code, safe_name(device)
    if run.is_measured and (code < 0 or not run.calls):  # nothing was recorded
        return (
            reason("program-killed-on-gpu", signal=-code, device=name)
            if code < 0
            else reason("program-ended-unrecorded", code=code, device=name)
        )
    if code < 0:
        return reason("program-killed", signal=-code, calls=run.calls, launches=run.launches)
    return reason(
        "program-ended-on-gpu" if run.is_measured else "program-ended",
        code=code,
        calls=run.calls,
        launches=run.launches,
        time=quantities.seconds(run.seconds),
        device=name,
    )


def times_of(run: ProgramRun, device: str) -> Reason:
    """Where the times of a timeline come from."""
    return reason("timeline-note-measured" if run.is_measured else "timeline-note", device=safe_name(device))


def is_clean(run: ProgramRun) -> bool:
    """Whether faults were looked for and none was found."""
    return run.is_checked and not run.diagnostics and run.refused is None
