"""What is told about the heap of kernels."""

from grader.engines.emulator.core.addresses import HEAP_WINDOW
from grader.engines.emulator.core.codes import EventKind
from grader.engines.emulator.decode.variables import window_origin
from grader.engines.emulator.display_names import amount, line_name
from grader.engines.emulator.findings.event import Event
from grader.engines.emulator.findings.wording import Wording, always
from grader.engines.emulator.services.heap import HEAP_BYTES, Allocation
from grader.model.diagnostic import DiagnosticKind, Severity


def _beyond(e: Event) -> str:
    """Where an access lies that is in the heap but in no allocation."""
    offset = e.address - window_origin(HEAP_WINDOW)
    allocation = e.memory.heap.near(offset)
    if allocation is None:
        return "before anything that malloc gave"
    past = offset + e.size - allocation.start - allocation.size
    return f"{amount(past, 'byte')} past the end of {_what(allocation)}"


def _freed(e: Event) -> str:
    """Memory that has been freed, and where."""
    allocation = e.memory.heap.near(e.address - window_origin(HEAP_WINDOW))
    if allocation is None:
        return "memory that has been freed"
    return f"{_what(allocation)}, which were freed at {line_name(allocation.freed)}"


def _what(allocation: Allocation) -> str:
    return f"the {allocation.size:,} bytes that malloc gave at {line_name(allocation.made)}"


def _exhausted(e: Event) -> str:
    return (
        f"malloc returned null, as the heap of {HEAP_BYTES:,} bytes has no room for {e.address:,} bytes,"
        f" in {e.culprits}"
    )


HEAP: dict[EventKind, Wording] = {
    EventKind.HEAP_OUT_OF_BOUNDS: Wording(
        DiagnosticKind.HEAP,
        Severity.ERROR,
        lambda e: f"access outside what malloc gave, {e.who} {e.does()} {_beyond(e)}",
        always("check the index against the size that was asked for"),
    ),
    EventKind.HEAP_FREED: Wording(
        DiagnosticKind.HEAP,
        Severity.ERROR,
        lambda e: f"access to freed memory, {e.who} {e.does()} {_freed(e)}",
        always("free it after its last use"),
    ),
    EventKind.HEAP_DOUBLE_FREE: Wording(
        DiagnosticKind.HEAP,
        Severity.ERROR,
        lambda e: f"memory freed again, {e.who} frees {_freed(e)}",
        always("free it once, by one thread"),
    ),
    EventKind.HEAP_BAD_FREE: Wording(
        DiagnosticKind.HEAP,
        Severity.ERROR,
        lambda e: f"free of an address that malloc did not give, by {e.culprits}",
        always("pass free what malloc returned"),
    ),
    EventKind.HEAP_EXHAUSTED: Wording(
        DiagnosticKind.HEAP,
        Severity.WARNING,
        _exhausted,
        always("check for null, and free what is no longer needed"),
    ),
}
"""How events of the heap are told."""
