"""Findings on errors with ``malloc`` and ``free`` in kernels."""

from grader.engines.emulator.core.addresses import HEAP_WINDOW
from grader.engines.emulator.core.codes import EventKind
from grader.engines.emulator.decode.variables import window_origin
from grader.engines.emulator.display_names import bytes_name, line_name
from grader.engines.emulator.findings.event import Event
from grader.engines.emulator.findings.wording import Wording, always, by_threads
from grader.engines.emulator.services.heap import HEAP_BYTES, Allocation
from grader.model.diagnostic import DiagnosticKind, Severity
from grader.model.reason import Reason, reason


def _beyond(e: Event) -> Reason:
    """An access that is inside the heap but outside every allocation."""
    offset, does = e.address - window_origin(HEAP_WINDOW), reason(e.does())
    allocation = e.memory.heap.near(offset)
    if allocation is None:
        return reason("heap-before-start", thread=e.thread, does=does)
    return reason(
        "heap-out-of-bounds",
        thread=e.thread,
        does=does,
        distance=bytes_name(offset + e.size - allocation.start - allocation.size),
        allocation=_name(allocation),
    )


def _use_after_free(e: Event) -> Reason:
    allocation, does = _freed(e), reason(e.does())
    if allocation is None:
        return reason("heap-use-after-reuse", thread=e.thread, does=does)
    return reason(
        "heap-use-after-free",
        thread=e.thread,
        does=does,
        allocation=_name(allocation),
        line=line_name(allocation.freed),
    )


def _double_free(e: Event) -> Reason:
    allocation = _freed(e)
    if allocation is None:
        return reason("heap-double-free-after-reuse", thread=e.thread)
    return reason(
        "heap-double-free",
        thread=e.thread,
        allocation=_name(allocation),
        line=line_name(allocation.freed),
    )


def _freed(e: Event) -> Allocation | None:
    return e.memory.heap.near(e.address - window_origin(HEAP_WINDOW))


def _name(allocation: Allocation) -> Reason:
    return reason("heap-allocation", count=allocation.size, line=line_name(allocation.made))


def _exhausted(e: Event) -> Reason:
    return reason("heap-exhausted", room=HEAP_BYTES, bytes=bytes_name(e.address), threads=e.all_threads)


HEAP: dict[EventKind, Wording] = {
    EventKind.HEAP_OUT_OF_BOUNDS: Wording(
        DiagnosticKind.HEAP, Severity.ERROR, _beyond, always("guard-allocation")
    ),
    EventKind.HEAP_FREED: Wording(
        DiagnosticKind.HEAP, Severity.ERROR, _use_after_free, always("free-after-last-use")
    ),
    EventKind.HEAP_DOUBLE_FREE: Wording(
        DiagnosticKind.HEAP, Severity.ERROR, _double_free, always("free-once")
    ),
    EventKind.HEAP_BAD_FREE: Wording(
        DiagnosticKind.HEAP, Severity.ERROR, by_threads("heap-invalid-free"), always("free-own-pointer")
    ),
    EventKind.HEAP_EXHAUSTED: Wording(
        DiagnosticKind.HEAP, Severity.WARNING, _exhausted, always("check-allocation")
    ),
}
"""Wording by event kind."""
