"""Findings on invalid accesses and on reads of uninitialised memory."""

from grader.engines.emulator.core.codes import EventKind
from grader.engines.emulator.display_names import bytes_name, line_name
from grader.engines.emulator.findings.event import Event
from grader.engines.emulator.findings.wording import (
    Statement,
    Wording,
    always,
    by_threads,
    by_threads_on_target,
)
from grader.model.diagnostic import DiagnosticKind, Severity
from grader.model.reason import Reason, reason


def _out_of_bounds(code: str, local: str, wild: str) -> Statement:
    def statement(e: Event) -> Reason:
        distance = e.distance()
        if distance is None:
            return reason(local if e.in_local_memory else wild, threads=e.all_threads)
        if e.lacks_dynamic_memory:
            return reason("no-dynamic-shared-memory", subject=e.target(), threads=e.all_threads)
        return reason(code, subject=e.target(), distance=distance, threads=e.all_threads)

    return statement


def _guard(e: Event) -> Reason:
    elements = e.target_elements()
    if elements is None:
        return reason("guard-unknown-index")
    if e.lacks_dynamic_memory:
        return reason("pass-dynamic-shared-memory")
    if e.is_before_start:
        return reason("guard-negative-index")
    if e.in_shared_memory:
        return reason("guard-shared-index", subject=e.target(), elements=elements)
    return reason("guard-index", subject=e.target(), elements=elements)


def _misaligned(e: Event) -> Reason:
    return reason(
        "misaligned-access",
        bytes=bytes_name(e.size),
        size=e.size,
        subject=e.target(),
        threads=e.all_threads,
    )


def _unwritten(e: Event) -> Reason:
    subject, threads, use = e.target(), e.all_threads, e.use_location
    if use is None:
        return reason("uninitialised-read", subject=subject, threads=threads)
    line = line_name(use, e.location)
    return reason("uninitialised-value-used", subject=subject, threads=threads, line=line)


def _initialise(e: Event) -> Reason:
    if e.in_local_memory:
        return reason("initialise-local")
    return reason("initialise-shared" if e.in_shared_memory else "initialise-output")


MEMORY: dict[EventKind, Wording] = {
    EventKind.OUT_OF_BOUNDS_READ: Wording(
        DiagnosticKind.OUT_OF_BOUNDS,
        Severity.ERROR,
        _out_of_bounds("out-of-bounds-read", "out-of-bounds-local-read", "wild-read"),
        _guard,
    ),
    EventKind.OUT_OF_BOUNDS_WRITE: Wording(
        DiagnosticKind.OUT_OF_BOUNDS,
        Severity.ERROR,
        _out_of_bounds("out-of-bounds-write", "out-of-bounds-local-write", "wild-write"),
        _guard,
    ),
    EventKind.NULL_READ: Wording(
        DiagnosticKind.NULL_ACCESS, Severity.ERROR, by_threads("null-read"), always("check-pointer")
    ),
    EventKind.NULL_WRITE: Wording(
        DiagnosticKind.NULL_ACCESS, Severity.ERROR, by_threads("null-write"), always("check-pointer")
    ),
    EventKind.NO_TEXTURE: Wording(
        DiagnosticKind.NULL_ACCESS, Severity.ERROR, by_threads("no-texture"), always("check-texture")
    ),
    EventKind.SURFACE_BOUNDS: Wording(
        DiagnosticKind.OUT_OF_BOUNDS,
        Severity.ERROR,
        by_threads("outside-surface"),
        always("surface-x-in-bytes"),
    ),
    EventKind.SURFACE_MISALIGNED: Wording(
        DiagnosticKind.MISALIGNED,
        Severity.ERROR,
        by_threads("surface-misaligned"),
        always("surface-x-in-bytes"),
    ),
    EventKind.MISALIGNED: Wording(
        DiagnosticKind.MISALIGNED, Severity.ERROR, _misaligned, always("align-access")
    ),
    EventKind.READ_ONLY_WRITE: Wording(
        DiagnosticKind.READ_ONLY_WRITE,
        Severity.ERROR,
        by_threads_on_target("constant-write"),
        always("write-to-buffer"),
    ),
    EventKind.INPUT_WRITE: Wording(
        DiagnosticKind.READ_ONLY_WRITE,
        Severity.WARNING,
        by_threads_on_target("input-write"),
        always("keep-inputs"),
    ),
    EventKind.UNINITIALISED: Wording(
        DiagnosticKind.UNINITIALISED,
        Severity.WARNING,
        _unwritten,
        _initialise,
    ),
}
"""Wording by event kind."""
