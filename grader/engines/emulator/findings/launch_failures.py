"""Explain why a launch stopped early: the fault that decides the verdict, and a diagnostic at the line."""

from collections.abc import Callable
from dataclasses import dataclass

from grader.engines.emulator.core.codes import Status
from grader.engines.emulator.decode.linker import END_OF_CODE
from grader.engines.emulator.display_names import amount, block_name, line_name, thread_name
from grader.engines.emulator.launch import LaunchOutcome
from grader.engines.emulator.ptx.syntax import Location
from grader.messages import render
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.location import SourceLocation
from grader.model.reason import as_written
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
"""Kinds that a GPU reports as a device fault. An error of one of these kinds gives the run the verdict "crashed"."""


def memory_fault(diagnostics: list[Diagnostic]) -> Fault | None:
    """The fault of the first invalid memory access of a launch; ``None`` if there is none."""
    for diagnostic in diagnostics:
        if diagnostic.kind in MEMORY_ERRORS and diagnostic.severity is Severity.ERROR:
            line = f", line {diagnostic.line}" if diagnostic.line is not None else ""
            times = f" ({diagnostic.count:,} times)" if diagnostic.count > 1 else ""
            return Fault(
                verdict=Verdict.CRASHED, reason=as_written(f"{render(diagnostic.message)}{line}{times}")
            )
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class _LaunchFailure:
    """Why a launch stopped early, at ``location``; ``related`` are the other lines involved."""

    verdict: Verdict = Verdict.CRASHED
    kind: DiagnosticKind
    location: Location | None
    message: str
    advice: str
    related: tuple[Location, ...] = ()
    threads: int = 1


@dataclass(frozen=True, slots=True)
class _Stop:
    """Where a launch stopped. ``seconds`` is its time limit."""

    outcome: LaunchOutcome
    seconds: float

    @property
    def pc(self) -> int:
        """The last micro-operation."""
        return min(max(self.outcome.stopped_pc, 0), len(self.outcome.program.locations) - 1)

    @property
    def location(self) -> Location | None:
        """Its source line."""
        return self.outcome.program.locations[self.pc]

    @property
    def block(self) -> str:
        """Name of the block that ran last."""
        grid = self.outcome.shape.grid
        return block_name(grid, min(self.outcome.block, grid.size - 1))

    @property
    def thread(self) -> str:
        """Name of the thread that ran last, with its block."""
        return f"{thread_name(self.outcome.shape.block, self.outcome.stopped_thread)} of {self.block}"


def launch_failure(outcome: LaunchOutcome, seconds: float, kernel: str) -> tuple[Fault, Diagnostic] | None:
    """Why a launch did not finish, as a fault and as a diagnostic at its line; ``None`` if it finished.

    ``seconds`` is its time limit.
    """
    if outcome.status is Status.DONE:
        return None
    failure = _FAILURES[outcome.status](_Stop(outcome, seconds))
    diagnostic = Diagnostic(
        kind=failure.kind,
        severity=Severity.ERROR,
        message=as_written(failure.message),
        advice=as_written(failure.advice),
        kernel=kernel,
        file=failure.location.file if failure.location else None,
        line=failure.location.line if failure.location else None,
        related=tuple(SourceLocation(file=other.file, line=other.line) for other in failure.related),
        threads=failure.threads,
    )
    return Fault(verdict=failure.verdict, reason=as_written(failure.message)), diagnostic


def _out_of_budget(stop: _Stop) -> _LaunchFailure:
    outcome = stop.outcome
    spent = f"{stop.seconds:g} seconds" if outcome.out_of_time else f"{outcome.steps:,} warp instructions"
    return _LaunchFailure(
        verdict=Verdict.TIMED_OUT,
        kind=DiagnosticKind.ENDLESS_LOOP,
        location=stop.location,
        message=f"no end after {spent}: {stop.thread} was still in the loop at {line_name(stop.location)}",
        advice="check the condition that ends the loop",
    )


def _livelock(stop: _Stop) -> _LaunchFailure:
    return _LaunchFailure(
        verdict=Verdict.TIMED_OUT,
        kind=DiagnosticKind.ENDLESS_LOOP,
        location=stop.location,
        message=(
            f"no end: {stop.thread} repeats the loop at {line_name(stop.location)} forever, because none of its"
            " values changes"
        ),
        advice="check the condition that ends the loop: every round must change a value that it tests",
    )


def _grid_deadlock(stop: _Stop) -> _LaunchFailure:
    """Describe a deadlock of all resident blocks, with the first of them as the example."""
    outcome = stop.outcome
    deadlock, shape = outcome.grid_deadlock, outcome.shape
    if deadlock is None:
        msg = "the launch has no deadlock"
        raise ValueError(msg)
    first = deadlock.waiting[0]
    location = outcome.program.locations[first.pc]
    block, blocks = block_name(shape.grid, first.block), shape.grid.size
    if first.reads_shared or blocks == 1:
        return _LaunchFailure(
            verdict=Verdict.TIMED_OUT,
            kind=DiagnosticKind.ENDLESS_LOOP,
            location=location,
            message=(
                f"no end: {thread_name(shape.block, first.thread)} of {block} waits at {line_name(location)} for a"
                " value that no other thread will ever write"
            ),
            advice="check which thread should write it: all threads that could are waiting or have ended",
        )
    awaited = (
        "for all blocks to arrive" if first.at_grid_barrier else "for a value that another block must write"
    )
    waiting = len(deadlock.waiting)
    counts = f"{waiting} of {blocks} blocks were resident and all waited, {deadlock.ended} had ended"
    unstarted = blocks - deadlock.ended - waiting
    if unstarted and deadlock.capacity.by_memory:
        return _LaunchFailure(
            verdict=Verdict.NOT_GRADABLE,
            kind=DiagnosticKind.ENDLESS_WAIT,
            location=location,
            message=(
                f"{block} waits at {line_name(location)} {awaited}; {counts}, and the emulator has no memory for more"
            ),
            advice="grade this kernel on a real GPU, or launch fewer blocks",
        )
    if unstarted:
        most = deadlock.capacity.blocks
        advice = f"the device cannot hold all blocks at once: launch at most {most}, or split the kernel"
    elif first.at_grid_barrier:
        advice = "make sure that every block reaches the grid barrier"
    else:
        advice = (
            "check that some block always writes the value that the others wait for, and releases every lock"
        )
    return _LaunchFailure(
        verdict=Verdict.TIMED_OUT,
        kind=DiagnosticKind.ENDLESS_WAIT,
        location=location,
        message=f"{block} waits at {line_name(location)} {awaited}; {counts}",
        advice=advice,
    )


def _trapped(stop: _Stop) -> _LaunchFailure:
    if stop.outcome.program.texts[stop.pc] == END_OF_CODE:
        message = (
            f"undefined behaviour near {line_name(stop.location)}, by {stop.thread}: the compiler left out the code"
            " that follows"
        )
        advice = "look for an access that is always invalid, such as one through a null pointer"
    else:
        assertion = stop.outcome.assertion
        cause = f"assertion {assertion} failed" if assertion else "trap"
        message = f"{cause} at {line_name(stop.location)}, by {stop.thread}"
        advice = "find out why the condition in this line does not hold for this thread"
    return _LaunchFailure(kind=DiagnosticKind.TRAP, location=stop.location, message=message, advice=advice)


def _barrier_deadlock(stop: _Stop) -> _LaunchFailure:
    """Describe threads at a barrier that the other threads of their block can no longer reach."""
    outcome = stop.outcome
    by_pc: dict[int, list[int]] = {}
    for thread, pc in outcome.waiting:
        by_pc.setdefault(pc, []).append(thread)
    groups = [
        f"{len(threads):,} at {line_name(outcome.program.locations[pc])} (the first of them"
        f" {thread_name(outcome.shape.block, threads[0])})"
        for pc, threads in sorted(by_pc.items())
    ]
    locations = [outcome.program.locations[pc] for pc in sorted(by_pc)]
    first = locations[0] if locations else stop.location
    return _LaunchFailure(
        kind=DiagnosticKind.DIVERGENT_BARRIER,
        location=first,
        message=(
            f"barrier that never completes in {stop.block}, of {amount(outcome.shape.block.size, 'thread')} wait"
            f" {', '.join(groups)}{_returned(outcome)}"
        ),
        advice="let every thread of the block reach the same barrier: move it out of the branch or the loop",
        related=tuple(other for other in locations[1:] if other is not None and other != first),
        threads=len(outcome.waiting),
    )


def _returned(outcome: LaunchOutcome) -> str:
    """The number of ended threads of the deadlocked block, and the branch after which the first of them ended."""
    if not outcome.returned:
        return ""
    branch = outcome.program.locations[outcome.returned_pc] if outcome.returned_pc >= 0 else None
    return (
        f"; {outcome.returned:,} have ended{f', after the branch at {line_name(branch)}' if branch else ''}"
    )


def _stack_overflow(stop: _Stop) -> _LaunchFailure:
    return _LaunchFailure(
        kind=DiagnosticKind.STACK_OVERFLOW,
        location=stop.location,
        message=f"stack overflow in the call at {line_name(stop.location)}, by {stop.thread}",
        advice="check the condition that ends the recursion, or use a loop",
    )


def _bad_jump(stop: _Stop) -> _LaunchFailure:
    return _LaunchFailure(
        kind=DiagnosticKind.DEVICE_FAULT,
        location=stop.location,
        message=f"jump to an invalid address at {line_name(stop.location)}, by {stop.thread}",
        advice="check the function pointer, or the value that selects the branch: it is invalid",
    )


_FAILURES: dict[Status, Callable[[_Stop], _LaunchFailure]] = {
    Status.PAUSED: _out_of_budget,
    Status.ENDLESS_LOOP: _livelock,
    Status.ENDLESS_WAIT: _grid_deadlock,
    Status.TRAPPED: _trapped,
    Status.DEADLOCK: _barrier_deadlock,
    Status.STACK_OVERFLOW: _stack_overflow,
    Status.BAD_JUMP: _bad_jump,
}
"""The failure for each status except ``DONE``."""
