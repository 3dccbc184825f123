"""Texts of findings on barriers and warp-level operations that some threads or lanes do not reach."""

from grader.engines.emulator.core.codes import EventKind
from grader.engines.emulator.display_names import amount, lanes_name, line_name
from grader.engines.emulator.findings.event import Event
from grader.engines.emulator.findings.wording import Wording, always
from grader.model.diagnostic import DiagnosticKind, Severity


def _divergent(e: Event) -> str:
    return (
        f"threads of one warp wait at different barriers, {e.who} at {line_name(e.location)},"
        f" {e.other} at {line_name(e.other_location)}"
    )


def _exited(e: Event) -> str:
    where = f" after the branch at {line_name(e.other_location)}" if e.other_location else ""
    gone, threads = int(e.record["detail"]), e.outcome.shape.block.size
    return (
        f"barrier that some threads never reach, {threads - gone} of {amount(threads, 'thread')} of {e.block} wait at"
        f" {line_name(e.location)}, {gone} have ended{where}, the first of them {e.other}"
    )


def _missing(e: Event) -> str:
    named, absent = (int(e.record[name]) & 0xFFFFFFFF for name in ("detail", "address"))
    return (
        f"the lane mask names lanes that do not take part, for instance 0x{named:08x} with {lanes_name(absent)} absent,"
        f" the first of them {e.other}, in the call by {e.who}"
    )


CONVERGENCE: dict[EventKind, Wording] = {
    EventKind.DIVERGENT_BARRIER: Wording(
        DiagnosticKind.DIVERGENT_BARRIER,
        Severity.ERROR,
        _divergent,
        always("move the barrier out of the branch, so that all threads of the block reach the same one"),
    ),
    EventKind.EXITED_BEFORE_BARRIER: Wording(
        DiagnosticKind.DIVERGENT_BARRIER,
        Severity.WARNING,
        _exited,
        always(
            "let every thread reach the barrier: put the condition around the work only, and do not return before it"
        ),
    ),
    EventKind.MISSING_LANES: Wording(
        DiagnosticKind.INACTIVE_LANE,
        Severity.WARNING,
        _missing,
        always("move the call out of the branch, or name only the participating lanes in the mask"),
    ),
}
"""Texts by event kind."""
