"""Texts of findings on errors with ``malloc`` and ``free`` in kernels."""

from grader.engines.emulator.core.addresses import HEAP_WINDOW
from grader.engines.emulator.core.codes import EventKind
from grader.engines.emulator.decode.variables import window_origin
from grader.engines.emulator.display_names import amount, line_name
from grader.engines.emulator.findings.event import Event
from grader.engines.emulator.findings.wording import Wording, always
from grader.engines.emulator.services.heap import HEAP_BYTES, Allocation
from grader.model.diagnostic import DiagnosticKind, Severity


def _beyond(e: Event) -> str:
    """Position of an access that is inside the heap but outside every allocation."""
    offset = e.address - window_origin(HEAP_WINDOW)
    allocation = e.memory.heap.near(offset)
    if allocation is None:
        return "before the first allocation"
    past = offset + e.size - allocation.start - allocation.size
    return f"{amount(past, 'byte')} past the end of {_what(allocation)}"


def _freed(e: Event) -> str:
    """The allocation that was freed, and the line of the ``free``."""
    allocation = e.memory.heap.near(e.address - window_origin(HEAP_WINDOW))
    if allocation is None:
        return "memory that has been freed"
    return f"{_what(allocation)}, freed at {line_name(allocation.freed)}"


def _what(allocation: Allocation) -> str:
    return f"the {allocation.size:,} bytes allocated at {line_name(allocation.made)}"


def _exhausted(e: Event) -> str:
    return (
        f"malloc returned null, because the heap of {HEAP_BYTES:,} bytes has no room for {e.address:,} bytes,"
        f" in {e.culprits}"
    )


HEAP: dict[EventKind, Wording] = {
    EventKind.HEAP_OUT_OF_BOUNDS: Wording(
        DiagnosticKind.HEAP,
        Severity.ERROR,
        lambda e: f"access outside the memory from malloc, {e.who} {e.does()} {_beyond(e)}",
        always("compare the index with the size passed to malloc"),
    ),
    EventKind.HEAP_FREED: Wording(
        DiagnosticKind.HEAP,
        Severity.ERROR,
        lambda e: f"access to freed memory, {e.who} {e.does()} {_freed(e)}",
        always("free the memory after its last use"),
    ),
    EventKind.HEAP_DOUBLE_FREE: Wording(
        DiagnosticKind.HEAP,
        Severity.ERROR,
        lambda e: f"memory freed again, {e.who} frees {_freed(e)}",
        always("free the memory once, by one thread"),
    ),
    EventKind.HEAP_BAD_FREE: Wording(
        DiagnosticKind.HEAP,
        Severity.ERROR,
        lambda e: f"free of an address that malloc did not return, by {e.culprits}",
        always("pass to free exactly the pointer that malloc returned"),
    ),
    EventKind.HEAP_EXHAUSTED: Wording(
        DiagnosticKind.HEAP,
        Severity.WARNING,
        _exhausted,
        always("check the pointer for null, and free memory that is no longer needed"),
    ),
}
"""Texts by event kind."""
