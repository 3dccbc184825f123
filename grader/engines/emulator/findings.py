"""From the interpreter's events to what the student reads: diagnostics, and the fault that ends a run."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from grader.engines.emulator.core.records import HEAP_WINDOW, SHARED_ORIGIN, EventKind, Op, Space, Status
from grader.engines.emulator.core.shadow import SHARED_WINDOW
from grader.engines.emulator.decode.linker import END_OF_CODE, VARIABLE_WINDOW, window_origin
from grader.engines.emulator.heap_findings import beyond_allocation, exhausted, freed_allocation
from grader.engines.emulator.launch import LaunchOutcome
from grader.engines.emulator.memory_map import DeviceMemory
from grader.engines.emulator.places import block_name, line_name, thread_name, variable_name
from grader.engines.emulator.ptx.syntax import Location
from grader.engines.emulator.standstill import standstill_ending
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.run import Fault
from grader.model.verdict import Verdict

MEMORY_ERRORS = frozenset(
    {
        DiagnosticKind.OUT_OF_BOUNDS,
        DiagnosticKind.NULL_ACCESS,
        DiagnosticKind.MISALIGNED,
        DiagnosticKind.HEAP,
    }
)
"""What a GPU would answer with a device fault: the run ends as crashed."""


_DOES = {int(Op.LOAD): "reads", int(Op.STORE): "writes"}


@dataclass(frozen=True, slots=True)
class _Event:
    """One event with everything that names things in it."""

    record: Any
    outcome: LaunchOutcome
    memory: DeviceMemory

    @property
    def location(self) -> Location | None:
        return self.outcome.program.locations[int(self.record["pc"])]

    @property
    def other_location(self) -> Location | None:
        pc = int(self.record["other_pc"])
        return self.outcome.program.locations[pc] if pc >= 0 else None

    @property
    def who(self) -> str:
        """The first thread it happened to."""
        shape = self.outcome.shape
        thread = thread_name(shape.block, int(self.record["thread"]))
        return f"{thread} of {block_name(shape.grid, int(self.record['block']))}"

    @property
    def other(self) -> str:
        """The other thread of a pair, with its block where that is another one."""
        shape = self.outcome.shape
        thread = thread_name(shape.block, int(self.record["other_thread"]))
        block = int(self.record["other_block"])
        return (
            thread if block == int(self.record["block"]) else f"{thread} of {block_name(shape.grid, block)}"
        )

    @property
    def size(self) -> int:
        """Bytes of the access."""
        ins = self.outcome.program.code[int(self.record["pc"])]
        return int(ins["width"]) * int(ins["count"])

    @property
    def address(self) -> int:
        """The address it is about."""
        return int(self.record["address"])

    @property
    def is_numba(self) -> bool:
        return self.location is not None and self.location.file.endswith(".py")

    def does(self, *, other: bool = False) -> str:
        """``reads``, ``writes`` or ``updates``."""
        pc = int(self.record["other_pc" if other else "pc"])
        return _DOES.get(int(self.outcome.program.code[pc]["op"]), "updates")

    def target(self) -> str:
        """The buffer or array that was meant, as far as the address tells."""
        space, address = int(self.record["space"]), int(self.record["address"])
        if space == Space.SHARED or int(self.record["window"]) == SHARED_WINDOW:
            return self._shared_name(address if address < SHARED_ORIGIN else address - SHARED_ORIGIN)[0]
        if space == Space.LOCAL:
            return "the thread's local memory"
        if int(self.record["window"]) == HEAP_WINDOW:
            return "memory from malloc"
        region = self.memory.regions.get(int(self.record["window"]))
        if region is None:
            return "no buffer at all"
        is_variable = int(self.record["window"]) >= VARIABLE_WINDOW
        return f"{'variable' if is_variable else 'buffer'} {variable_name(region.name)}"

    def distance(self) -> str:
        """How far outside the target the access lies; empty where that cannot be said."""
        space, address, window = (int(self.record[name]) for name in ("space", "address", "window"))
        if space == Space.SHARED:
            _, start, size = self._shared_name(address)
        elif space == Space.LOCAL or window not in self.memory.regions:
            return ""
        else:
            start, size = window_origin(window), len(self.memory.regions[window].data)
        if address < start:
            return f", {_bytes(start - address)} before its start"
        return f", {_bytes(address + self.size - start - size)} past its end"

    def _shared_name(self, address: int) -> tuple[str, int, int]:
        """The shared array at or before an offset, with its start and size."""
        arrays = sorted(self.outcome.program.shared, key=lambda array: array.offset)
        before = [array for array in arrays if array.offset <= address] or arrays[:1]
        if not before:
            return "shared memory", 0, 0
        array = before[-1]
        size = self.outcome.shape.shared_bytes if array.size is None else array.size
        return f"shared array {variable_name(array.name)}", array.offset, size


def _bytes(count: int) -> str:
    return f"{count:,} byte{'' if count == 1 else 's'}"


Text = Callable[[_Event], str]


@dataclass(frozen=True, slots=True)
class _Finding:
    """How one kind of event is told."""

    kind: DiagnosticKind
    severity: Severity
    text: Text


def _out_of_bounds(access: str) -> Text:
    return lambda e: (
        f"out of bounds {access} of {e.target()}{e.distance()}, by {e.who}; check the index against the size first"
    )


def _race(e: _Event) -> str:
    barrier = "cuda.syncthreads()" if e.is_numba else "__syncthreads()"
    shared = int(e.record["window"]) == SHARED_WINDOW
    pair = (
        f"{e.who} {e.does()} {e.target()} at {line_name(e.location)} where {e.other} {e.does(other=True)} the same"
        f" place at {line_name(e.other_location)}, and nothing orders the two"
    )
    if int(e.record["block"]) != int(e.record["other_block"]):
        return f"{pair}; blocks cannot wait for each other: give each its own elements, or use an atomic"
    return f"{pair}; put {barrier} between them{'' if shared else ', or give each thread its own elements'}"


def _hazard(e: _Event) -> str:
    barrier = "cuda.syncwarp()" if e.is_numba else "__syncwarp()"
    return (
        f"{e.who} {e.does()} {e.target()} at {line_name(e.location)} where {e.other} of the same warp"
        f" {e.does(other=True)} it at {line_name(e.other_location)}; lanes of a warp need not run in step:"
        f" put {barrier} between them"
    )


def _uninitialised(e: _Event) -> str:
    return f"{e.who} reads an element of {e.target()} that nothing has written; give it a value first"


def _divergent(e: _Event) -> str:
    return (
        f"threads of one warp wait at different barriers: {e.who} at {line_name(e.location)},"
        f" {e.other} at {line_name(e.other_location)}; move the barrier out of the branch, so that all threads"
        " reach the same one"
    )


def _exited(e: _Event) -> str:
    return (
        f"{e.who} waits at this barrier although {e.other} has already returned; let every thread reach the barrier and"
        " guard the work instead of returning early"
    )


def _missing(e: _Event) -> str:
    return (
        f"the lane mask names {e.other}, which does not take part, as seen by {e.who}; call it outside the branch, or"
        " name only the lanes that are there"
    )


_FINDINGS: dict[EventKind, _Finding] = {
    EventKind.OUT_OF_BOUNDS_READ: _Finding(
        DiagnosticKind.OUT_OF_BOUNDS, Severity.ERROR, _out_of_bounds("read")
    ),
    EventKind.OUT_OF_BOUNDS_WRITE: _Finding(
        DiagnosticKind.OUT_OF_BOUNDS, Severity.ERROR, _out_of_bounds("write")
    ),
    EventKind.NULL_READ: _Finding(
        DiagnosticKind.NULL_ACCESS,
        Severity.ERROR,
        lambda e: f"read through a null pointer by {e.who}; check where the pointer comes from",
    ),
    EventKind.NULL_WRITE: _Finding(
        DiagnosticKind.NULL_ACCESS,
        Severity.ERROR,
        lambda e: f"write through a null pointer by {e.who}; check where the pointer comes from",
    ),
    EventKind.MISALIGNED: _Finding(
        DiagnosticKind.MISALIGNED,
        Severity.ERROR,
        lambda e: (
            f"misaligned access of {_bytes(e.size)} to {e.target()} by {e.who};"
            f" the address must be a multiple of {e.size}"
        ),
    ),
    EventKind.READ_ONLY_WRITE: _Finding(
        DiagnosticKind.OUT_OF_BOUNDS,
        Severity.ERROR,
        lambda e: f"write to constant memory ({e.target()}) by {e.who}; a kernel can only read it",
    ),
    EventKind.UNINITIALISED: _Finding(DiagnosticKind.UNINITIALISED, Severity.WARNING, _uninitialised),
    EventKind.RACE: _Finding(DiagnosticKind.GLOBAL_RACE, Severity.ERROR, _race),
    EventKind.WARP_HAZARD: _Finding(DiagnosticKind.GLOBAL_RACE, Severity.WARNING, _hazard),
    EventKind.DIVERGENT_BARRIER: _Finding(DiagnosticKind.DIVERGENT_BARRIER, Severity.ERROR, _divergent),
    EventKind.EXITED_BEFORE_BARRIER: _Finding(DiagnosticKind.DIVERGENT_BARRIER, Severity.WARNING, _exited),
    EventKind.MISSING_LANES: _Finding(DiagnosticKind.DIVERGENT_BARRIER, Severity.WARNING, _missing),
    EventKind.HEAP_OUT_OF_BOUNDS: _Finding(
        DiagnosticKind.HEAP,
        Severity.ERROR,
        lambda e: (
            f"{e.who} {e.does()} {beyond_allocation(e.memory, e.address, e.size)};"
            " check the index against the size that was asked for"
        ),
    ),
    EventKind.HEAP_FREED: _Finding(
        DiagnosticKind.HEAP,
        Severity.ERROR,
        lambda e: f"{e.who} {e.does()} {freed_allocation(e.memory, e.address)}; free it after its last use",
    ),
    EventKind.HEAP_DOUBLE_FREE: _Finding(
        DiagnosticKind.HEAP,
        Severity.ERROR,
        lambda e: f"{e.who} frees {freed_allocation(e.memory, e.address)}; free it once, by one thread",
    ),
    EventKind.HEAP_BAD_FREE: _Finding(
        DiagnosticKind.HEAP,
        Severity.ERROR,
        lambda e: f"{e.who} frees an address that malloc did not give; pass free what malloc returned",
    ),
    EventKind.HEAP_EXHAUSTED: _Finding(
        DiagnosticKind.HEAP,
        Severity.WARNING,
        lambda e: f"{exhausted(e.address)}, in {e.who}; check for null, and free what is no longer needed",
    ),
}


def diagnostics_of(outcome: LaunchOutcome, memory: DeviceMemory) -> list[Diagnostic]:
    """One diagnostic per kind, pair of lines and target; unrolled copies of a line count together."""
    merged: dict[tuple[object, ...], Diagnostic] = {}
    for event in sorted((_Event(record, outcome, memory) for record in outcome.events), key=_rank):
        kind = EventKind(int(event.record["kind"]))
        finding = _FINDINGS[kind]
        location = event.location
        places = frozenset({location, event.other_location})
        key = (kind, places, int(event.record["window"]), event.target())
        count = int(event.record["count"])
        if kind is EventKind.WARP_HAZARD and (EventKind.RACE, *key[1:]) in merged:
            continue  # the barrier that the race asks for mends this as well
        if key in merged:
            merged[key] = replace(merged[key], count=merged[key].count + count)
            continue
        shared = int(event.record["window"]) == SHARED_WINDOW and finding.kind is DiagnosticKind.GLOBAL_RACE
        merged[key] = Diagnostic(
            kind=DiagnosticKind.SHARED_RACE if shared else finding.kind,
            severity=finding.severity,
            message=finding.text(event),
            file=location.file if location else None,
            line=location.line if location else None,
            count=count,
        )
    return list(merged.values())


def _rank(event: _Event) -> tuple[bool, bool]:
    """Races before hazards; a pair met in the order of the source before the same pair met the other way round."""
    here, there = event.location, event.other_location
    backwards = here is not None and there is not None and here.line < there.line
    return int(event.record["kind"]) == EventKind.WARP_HAZARD, backwards


def memory_fault(diagnostics: list[Diagnostic]) -> Fault | None:
    """The fault of a launch that touched memory it may not touch."""
    for diagnostic in diagnostics:
        if diagnostic.kind in MEMORY_ERRORS and diagnostic.severity is Severity.ERROR:
            place = f", line {diagnostic.line}" if diagnostic.line is not None else ""
            times = f" ({diagnostic.count:,} times)" if diagnostic.count > 1 else ""
            return Fault(
                verdict=Verdict.CRASHED, reason=f"{diagnostic.message.partition(';')[0]}{place}{times}"
            )
    return None


def ending(outcome: LaunchOutcome, seconds: float) -> tuple[Fault, Diagnostic] | None:
    """Why a launch did not come to its end, as a fault and as a diagnostic at its line; ``None`` where it did."""
    if outcome.status is Status.DONE:
        return None
    pc = min(max(outcome.stopped_pc, 0), len(outcome.program.locations) - 1)
    location = outcome.program.locations[pc]
    shape = outcome.shape
    block = block_name(shape.grid, min(outcome.block, shape.grid.size - 1))
    who = f"{thread_name(shape.block, outcome.stopped_thread)} of {block}"
    verdict, kind = Verdict.CRASHED, DiagnosticKind.DEVICE_FAULT
    if outcome.status is Status.PAUSED:
        verdict, kind = Verdict.TIMED_OUT, DiagnosticKind.ENDLESS_LOOP
        spent = f"{seconds:g} seconds" if outcome.out_of_time else f"{outcome.steps:,} warp instructions"
        what = f"no end after {spent}: {who} was still in the loop at {line_name(location)}"
        advice = "check what ends the loop"
    elif outcome.status is Status.ENDLESS_LOOP:
        verdict, kind = Verdict.TIMED_OUT, DiagnosticKind.ENDLESS_LOOP
        what = f"no end: {who} repeats the loop at {line_name(location)}, and nothing in it ever changes"
        advice = "check what ends the loop"
    elif outcome.standstill is not None:
        told = standstill_ending(outcome.standstill, shape, outcome.program.locations)
        verdict, kind, location, what, advice = told.verdict, told.kind, told.location, told.what, told.advice
    elif outcome.status is Status.TRAPPED and outcome.program.texts[pc] == END_OF_CODE:
        kind = DiagnosticKind.TRAP
        what = f"undefined behaviour near {line_name(location)}, by {who}: the compiler left out what follows"
        advice = "look for an access that can only be wrong, such as one through a null pointer"
    elif outcome.status is Status.TRAPPED:
        kind = DiagnosticKind.TRAP
        why = f"assertion {outcome.assertion} failed" if outcome.assertion else "trap"
        what, advice = f"{why} at {line_name(location)}, by {who}", "see the condition there"
    elif outcome.status is Status.DEADLOCK:
        kind = DiagnosticKind.DIVERGENT_BARRIER
        location, what = _deadlock(outcome, block)
        advice = "every thread of the block must reach the same barrier"
    elif outcome.status is Status.STACK_OVERFLOW:
        kind = DiagnosticKind.STACK_OVERFLOW
        what = f"stack overflow in the call at {line_name(location)}, by {who}"
        advice = "the recursion is too deep, or never ends"
    else:
        what, advice = (
            f"jump to nowhere at {line_name(location)}, by {who}",
            "the function pointer, or the index of the branch, is not a valid one",
        )
    diagnostic = Diagnostic(
        kind=kind,
        severity=Severity.ERROR,
        message=f"{what}; {advice}",
        file=location.file if location else None,
        line=location.line if location else None,
    )
    return Fault(verdict=verdict, reason=what), diagnostic


def _deadlock(outcome: LaunchOutcome, block: str) -> tuple[Location | None, str]:
    """Threads wait at a barrier that the others of their block can no longer reach."""
    shape, locations = outcome.shape, outcome.program.locations
    by_pc: dict[int, list[int]] = {}
    for thread, pc in outcome.waiting:
        by_pc.setdefault(pc, []).append(thread)
    groups = [
        f"{len(threads)} thread{'' if len(threads) == 1 else 's'} ({thread_name(shape.block, threads[0])}"
        f"{' and others' if len(threads) > 1 else ''}) at {line_name(locations[pc])}"
        for pc, threads in sorted(by_pc.items())
    ]
    first = min(by_pc) if by_pc else 0
    return locations[first], f"barrier that never completes in {block}: waiting are {', '.join(groups)}"
