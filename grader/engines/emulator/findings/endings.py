"""How a run ends badly: the fault that decides the verdict, and the same as a diagnostic at its line."""

from collections.abc import Callable
from dataclasses import dataclass

from grader.engines.emulator.core.codes import Status
from grader.engines.emulator.deadlock import standstill_ending
from grader.engines.emulator.decode.linker import END_OF_CODE
from grader.engines.emulator.launch import LaunchOutcome
from grader.engines.emulator.places import amount, block_name, line_name, thread_name
from grader.engines.emulator.ptx.syntax import Location
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity, SourceLocation
from grader.model.run import Fault
from grader.model.verdict import Verdict

MEMORY_ERRORS = frozenset(
    {
        DiagnosticKind.OUT_OF_BOUNDS,
        DiagnosticKind.NULL_ACCESS,
        DiagnosticKind.MISALIGNED,
        DiagnosticKind.HEAP,
        DiagnosticKind.READ_ONLY_WRITE,
    }
)
"""What a GPU would answer with a device fault where it is an error: the run ends as crashed."""


def memory_fault(diagnostics: list[Diagnostic]) -> Fault | None:
    """The fault of a launch that touched memory it may not touch."""
    for diagnostic in diagnostics:
        if diagnostic.kind in MEMORY_ERRORS and diagnostic.severity is Severity.ERROR:
            place = f", line {diagnostic.line}" if diagnostic.line is not None else ""
            times = f" ({diagnostic.count:,} times)" if diagnostic.count > 1 else ""
            return Fault(verdict=Verdict.CRASHED, reason=f"{diagnostic.message}{place}{times}")
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ending:
    """Why a launch stopped short: ``what`` happened at ``location``, with the other places and threads involved."""

    verdict: Verdict = Verdict.CRASHED
    kind: DiagnosticKind
    location: Location | None
    what: str
    advice: str
    related: tuple[Location, ...] = ()
    threads: int = 1


@dataclass(frozen=True, slots=True)
class _Stop:
    """Where a launch stopped. ``seconds`` is the time it was allowed."""

    outcome: LaunchOutcome
    seconds: float

    @property
    def pc(self) -> int:
        """The micro-operation that was last."""
        return min(max(self.outcome.stopped_pc, 0), len(self.outcome.program.locations) - 1)

    @property
    def location(self) -> Location | None:
        """Its line."""
        return self.outcome.program.locations[self.pc]

    @property
    def block(self) -> str:
        """The block that was running."""
        grid = self.outcome.shape.grid
        return block_name(grid, min(self.outcome.block, grid.size - 1))

    @property
    def who(self) -> str:
        """The thread that was there."""
        return f"{thread_name(self.outcome.shape.block, self.outcome.stopped_thread)} of {self.block}"


def ending(outcome: LaunchOutcome, seconds: float, kernel: str) -> tuple[Fault, Diagnostic] | None:
    """Why a launch did not come to its end, as a fault and as a diagnostic at its line; ``None`` where it did.

    ``seconds`` is the time it was allowed.
    """
    if outcome.status is Status.DONE:
        return None
    end = _ENDINGS[outcome.status](_Stop(outcome, seconds))
    diagnostic = Diagnostic(
        kind=end.kind,
        severity=Severity.ERROR,
        message=end.what,
        advice=end.advice,
        kernel=kernel,
        file=end.location.file if end.location else None,
        line=end.location.line if end.location else None,
        related=tuple(SourceLocation(file=place.file, line=place.line) for place in end.related),
        threads=end.threads,
    )
    return Fault(verdict=end.verdict, reason=end.what), diagnostic


def _out_of_budget(stop: _Stop) -> _Ending:
    outcome = stop.outcome
    spent = f"{stop.seconds:g} seconds" if outcome.out_of_time else f"{outcome.steps:,} warp instructions"
    return _Ending(
        verdict=Verdict.TIMED_OUT,
        kind=DiagnosticKind.ENDLESS_LOOP,
        location=stop.location,
        what=f"no end after {spent}: {stop.who} was still in the loop at {line_name(stop.location)}",
        advice="check what ends the loop",
    )


def _circling(stop: _Stop) -> _Ending:
    return _Ending(
        verdict=Verdict.TIMED_OUT,
        kind=DiagnosticKind.ENDLESS_LOOP,
        location=stop.location,
        what=(
            f"no end: {stop.who} repeats the loop at {line_name(stop.location)}, and nothing in it ever changes"
        ),
        advice="check what ends the loop",
    )


def _standing(stop: _Stop) -> _Ending:
    outcome = stop.outcome
    if outcome.standstill is None:
        msg = "nothing stands still"
        raise ValueError(msg)
    told = standstill_ending(outcome.standstill, outcome.shape, outcome.program.locations)
    return _Ending(
        verdict=told.verdict, kind=told.kind, location=told.location, what=told.what, advice=told.advice
    )


def _trapped(stop: _Stop) -> _Ending:
    if stop.outcome.program.texts[stop.pc] == END_OF_CODE:
        what = f"undefined behaviour near {line_name(stop.location)}, by {stop.who}: the compiler left out what follows"
        advice = "look for an access that can only be wrong, such as one through a null pointer"
    else:
        assertion = stop.outcome.assertion
        why = f"assertion {assertion} failed" if assertion else "trap"
        what = f"{why} at {line_name(stop.location)}, by {stop.who}"
        advice = "find out why the condition in that line does not hold for this thread"
    return _Ending(kind=DiagnosticKind.TRAP, location=stop.location, what=what, advice=advice)


def _deadlocked(stop: _Stop) -> _Ending:
    """Threads wait at a barrier that the others of their block can no longer reach."""
    outcome = stop.outcome
    by_pc: dict[int, list[int]] = {}
    for thread, pc in outcome.waiting:
        by_pc.setdefault(pc, []).append(thread)
    groups = [
        f"{len(threads):,} at {line_name(outcome.program.locations[pc])} (the first of them"
        f" {thread_name(outcome.shape.block, threads[0])})"
        for pc, threads in sorted(by_pc.items())
    ]
    places = [outcome.program.locations[pc] for pc in sorted(by_pc)]
    first = places[0] if places else stop.location
    return _Ending(
        kind=DiagnosticKind.DIVERGENT_BARRIER,
        location=first,
        what=(
            f"barrier that never completes in {stop.block}, of {amount(outcome.shape.block.size, 'thread')} wait"
            f" {', '.join(groups)}{_returned(outcome)}"
        ),
        advice="let every thread of the block reach the same barrier: take it out of the branch or the loop",
        related=tuple(place for place in places[1:] if place is not None and place != first),
        threads=len(outcome.waiting),
    )


def _returned(outcome: LaunchOutcome) -> str:
    """How many threads of a block in a deadlock have come to their end, and by which branch."""
    if not outcome.returned:
        return ""
    place = outcome.program.locations[outcome.returned_pc] if outcome.returned_pc >= 0 else None
    return (
        f"; {outcome.returned:,} have ended{f' by way of the branch at {line_name(place)}' if place else ''}"
    )


def _stack_overflow(stop: _Stop) -> _Ending:
    return _Ending(
        kind=DiagnosticKind.STACK_OVERFLOW,
        location=stop.location,
        what=f"stack overflow in the call at {line_name(stop.location)}, by {stop.who}",
        advice="check what ends the recursion, or use a loop",
    )


def _bad_jump(stop: _Stop) -> _Ending:
    return _Ending(
        kind=DiagnosticKind.DEVICE_FAULT,
        location=stop.location,
        what=f"jump to nowhere at {line_name(stop.location)}, by {stop.who}",
        advice="check the function pointer, or the value that chooses the branch: it is not a valid one",
    )


_ENDINGS: dict[Status, Callable[[_Stop], _Ending]] = {
    Status.PAUSED: _out_of_budget,
    Status.ENDLESS_LOOP: _circling,
    Status.ENDLESS_WAIT: _standing,
    Status.TRAPPED: _trapped,
    Status.DEADLOCK: _deadlocked,
    Status.STACK_OVERFLOW: _stack_overflow,
    Status.BAD_JUMP: _bad_jump,
}
"""How every bad ending is told."""
