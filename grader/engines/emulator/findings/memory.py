"""Texts of findings on invalid accesses and on reads of uninitialised memory."""

from grader.engines.emulator.core.codes import EventKind
from grader.engines.emulator.display_names import amount
from grader.engines.emulator.findings.event import Event
from grader.engines.emulator.findings.wording import Text, Wording, always
from grader.model.diagnostic import DiagnosticKind, Severity


def _out_of_bounds(access: str) -> Text:
    return lambda e: f"out of bounds {access} of {e.target()}{e.distance()}, by {e.culprits}"


def _null(access: str) -> Text:
    return lambda e: f"{access} through a null pointer by {e.culprits}"


def _guard(e: Event) -> str:
    if e.in_shared_memory:
        return "compare the index with the size of the array, and with the size of the block that uses it"
    return (
        "compare the index with the size before the access, with < and not <=: the last block may have extra threads,"
        " and a loop must end before the size"
    )


_CHECK_POINTER = always("check which value the pointer gets before this line uses it")

MEMORY: dict[EventKind, Wording] = {
    EventKind.OUT_OF_BOUNDS_READ: Wording(
        DiagnosticKind.OUT_OF_BOUNDS, Severity.ERROR, _out_of_bounds("read"), _guard
    ),
    EventKind.OUT_OF_BOUNDS_WRITE: Wording(
        DiagnosticKind.OUT_OF_BOUNDS, Severity.ERROR, _out_of_bounds("write"), _guard
    ),
    EventKind.NULL_READ: Wording(DiagnosticKind.NULL_ACCESS, Severity.ERROR, _null("read"), _CHECK_POINTER),
    EventKind.NULL_WRITE: Wording(DiagnosticKind.NULL_ACCESS, Severity.ERROR, _null("write"), _CHECK_POINTER),
    EventKind.NO_TEXTURE: Wording(
        DiagnosticKind.NULL_ACCESS,
        Severity.ERROR,
        lambda e: f"read through a handle that is not a texture of this kind, by {e.culprits}",
        always(
            "pass the texture object on unchanged, and read it with the function for its kind (tex2D, tex1Dfetch)"
        ),
    ),
    EventKind.MISALIGNED: Wording(
        DiagnosticKind.MISALIGNED,
        Severity.ERROR,
        lambda e: (
            f"misaligned access of {amount(e.size, 'byte')} to {e.target()} by {e.culprits}:"
            f" the address must be a multiple of {e.size}"
        ),
        always("access single elements, or make every row start at a multiple of the vector type's size"),
    ),
    EventKind.READ_ONLY_WRITE: Wording(
        DiagnosticKind.READ_ONLY_WRITE,
        Severity.ERROR,
        lambda e: f"write to constant memory ({e.target()}) by {e.culprits}",
        always("kernels can only read constant memory: write to a buffer instead"),
    ),
    EventKind.INPUT_WRITE: Wording(
        DiagnosticKind.READ_ONLY_WRITE,
        Severity.WARNING,
        lambda e: f"write to input {e.target()} by {e.culprits}",
        always("do not change the inputs: write to the output, or work on a copy in shared memory"),
    ),
    EventKind.UNINITIALISED: Wording(
        DiagnosticKind.UNINITIALISED,
        Severity.WARNING,
        lambda e: f"read of an element of {e.target()} that nothing has written, by {e.culprits}",
        lambda e: (
            "give every local variable and array element a value before reading it"
            if e.in_local_memory
            else "write every element before it is read: a tile may be larger than the block, or need zeros at the edge"
            if e.in_shared_memory
            else "write the element first, or use = instead of += for the first value"
        ),
    ),
}
"""Texts by event kind."""
