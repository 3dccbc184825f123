"""Findings on barriers and warp-level operations that some threads or lanes do not reach."""

from grader.engines.emulator.core.codes import EventKind
from grader.engines.emulator.display_names import lanes_name
from grader.engines.emulator.findings.event import Event
from grader.engines.emulator.findings.wording import Wording, always
from grader.model.diagnostic import DiagnosticKind, Severity
from grader.model.reason import Reason, reason


def _divergent(e: Event) -> Reason:
    return reason(
        "divergent-barrier",
        thread=e.thread,
        line=e.line,
        other=e.other_thread,
        other_line=e.other_line,
    )


def _not_reached(e: Event) -> Reason:
    ended, count = int(e.record["detail"]), e.outcome.shape.block.size
    waiting, threads = count - ended, reason("threads", count=count)
    if e.other_location is None:
        return reason(
            "barrier-not-reached",
            waiting=waiting,
            threads=threads,
            block=e.block,
            line=e.line,
            ended=ended,
            first=e.other_thread,
        )
    return reason(
        "barrier-not-reached-by-branch",
        waiting=waiting,
        threads=threads,
        block=e.block,
        line=e.line,
        ended=ended,
        branch=e.other_line,
        first=e.other_thread,
    )


def _absent(e: Event) -> Reason:
    named, absent = (int(e.record[name]) & 0xFFFFFFFF for name in ("detail", "address"))
    return reason(
        "absent-lanes",
        count=absent.bit_count(),
        mask=f"0x{named:08x}",
        lanes=lanes_name(absent),
        first=e.other_thread,
        thread=e.thread,
    )


def _undefined(e: Event) -> Reason:
    return reason(
        "shuffle-from-exited-lane" if e.record["detail"] else "shuffle-from-inactive-lane",
        thread=e.thread,
        other=e.other_thread,
        line=e.other_line,
    )


def _outside(e: Event) -> Reason:
    return reason("outside-lane-mask", mask=f"0x{int(e.record['detail']):08x}", threads=e.all_threads)


CONVERGENCE: dict[EventKind, Wording] = {
    EventKind.DIVERGENT_BARRIER: Wording(
        DiagnosticKind.DIVERGENT_BARRIER, Severity.ERROR, _divergent, always("move-barrier")
    ),
    EventKind.EXITED_BEFORE_BARRIER: Wording(
        DiagnosticKind.DIVERGENT_BARRIER, Severity.WARNING, _not_reached, always("let-all-reach-barrier")
    ),
    EventKind.MISSING_LANES: Wording(
        DiagnosticKind.INACTIVE_LANE, Severity.WARNING, _absent, always("fix-lane-mask")
    ),
    EventKind.UNDEFINED_VALUE: Wording(
        DiagnosticKind.INACTIVE_LANE, Severity.WARNING, _undefined, always("let-all-lanes-shuffle")
    ),
    EventKind.OUTSIDE_MASK: Wording(
        DiagnosticKind.INACTIVE_LANE, Severity.WARNING, _outside, always("name-own-lane")
    ),
}
"""Wording by event kind."""
