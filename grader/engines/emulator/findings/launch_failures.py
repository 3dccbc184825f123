"""Explain why a launch stopped early: the fault that decides the verdict, and a diagnostic at the line."""

from collections.abc import Callable
from dataclasses import dataclass

from grader.engines.emulator.core.codes import Status
from grader.engines.emulator.deadlock import GridDeadlock
from grader.engines.emulator.decode.linker import END_OF_CODE
from grader.engines.emulator.display_names import block_name, line_name, thread_name, thread_of_block
from grader.engines.emulator.launch import LaunchOutcome
from grader.engines.emulator.ptx.syntax import Location
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.location import SourceLocation
from grader.model.reason import Reason, reason
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
            return Fault(verdict=Verdict.CRASHED, reason=fault_at(diagnostic))
    return None


def fault_at(diagnostic: Diagnostic) -> Reason:
    """The message of ``diagnostic`` with its line, for a reader who sees nothing else of it."""
    if diagnostic.line is None:
        return diagnostic.message
    location = SourceLocation(file=diagnostic.file, line=diagnostic.line)
    if diagnostic.count == 1:
        return reason("fault-at", fault=diagnostic.message, location=location)
    return reason("fault-at-repeated", fault=diagnostic.message, count=diagnostic.count, location=location)


@dataclass(frozen=True, slots=True, kw_only=True)
class _LaunchFailure:
    """Why a launch stopped early, at ``location``; ``related`` are the other lines involved."""

    verdict: Verdict = Verdict.CRASHED
    kind: DiagnosticKind
    location: Location | None
    message: Reason
    advice: Reason
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
    def line(self) -> Reason:
        """Its name."""
        return line_name(self.location)

    @property
    def block(self) -> Reason:
        """The block that ran last."""
        return block_name(self.outcome.shape, self._block)

    @property
    def thread(self) -> Reason:
        """The thread that ran last, with its block."""
        return thread_of_block(self.outcome.shape, self.outcome.stopped_thread, self._block)

    @property
    def _block(self) -> int:
        return min(self.outcome.block, self.outcome.shape.grid.size - 1)


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
        message=failure.message,
        advice=failure.advice,
        kernel=kernel,
        file=failure.location.file if failure.location else None,
        line=failure.location.line if failure.location else None,
        related=tuple(SourceLocation(file=other.file, line=other.line) for other in failure.related),
        threads=failure.threads,
    )
    return Fault(verdict=failure.verdict, reason=failure.message), diagnostic


def _out_of_budget(stop: _Stop) -> _LaunchFailure:
    outcome = stop.outcome
    return _LaunchFailure(
        verdict=Verdict.TIMED_OUT,
        kind=DiagnosticKind.ENDLESS_LOOP,
        location=stop.location,
        message=reason("out-of-time", seconds=stop.seconds, thread=stop.thread, line=stop.line)
        if outcome.out_of_time
        else reason("out-of-steps", steps=outcome.steps, thread=stop.thread, line=stop.line),
        advice=reason("check-loop"),
    )


def _livelock(stop: _Stop) -> _LaunchFailure:
    return _LaunchFailure(
        verdict=Verdict.TIMED_OUT,
        kind=DiagnosticKind.ENDLESS_LOOP,
        location=stop.location,
        message=reason("endless-loop", thread=stop.thread, line=stop.line),
        advice=reason("change-tested-value"),
    )


def _grid_deadlock(stop: _Stop) -> _LaunchFailure:
    """Describe a deadlock of all resident blocks, with the first of them as the example."""
    outcome = stop.outcome
    deadlock, blocks = outcome.grid_deadlock, outcome.shape.grid.size
    if deadlock is None:
        msg = "the launch has no deadlock"
        raise ValueError(msg)
    first = deadlock.waiting[0]
    location = outcome.program.locations[first.pc]
    if first.reads_shared or blocks == 1:
        thread = thread_of_block(outcome.shape, first.thread, first.block)
        return _LaunchFailure(
            verdict=Verdict.TIMED_OUT,
            kind=DiagnosticKind.ENDLESS_LOOP,
            location=location,
            message=reason("endless-wait-for-thread", thread=thread, line=line_name(location)),
            advice=reason("check-writer"),
        )
    wait = reason(
        "endless-wait-at-grid-barrier" if first.at_grid_barrier else "endless-wait-for-block",
        block=block_name(outcome.shape, first.block),
        line=line_name(location),
        waiting=len(deadlock.waiting),
        blocks=blocks,
        ended=deadlock.ended,
    )
    lacks_memory = _has_unstarted(deadlock, blocks) and deadlock.capacity.by_memory
    return _LaunchFailure(
        verdict=Verdict.NOT_GRADABLE if lacks_memory else Verdict.TIMED_OUT,
        kind=DiagnosticKind.ENDLESS_WAIT,
        location=location,
        message=reason("no-memory-for-blocks", wait=wait) if lacks_memory else wait,
        advice=_end_of_wait(deadlock, blocks),
    )


def _has_unstarted(deadlock: GridDeadlock, blocks: int) -> bool:
    """Whether some of the grid's ``blocks`` wait for room on the device."""
    return blocks > deadlock.ended + len(deadlock.waiting)


def _end_of_wait(deadlock: GridDeadlock, blocks: int) -> Reason:
    if _has_unstarted(deadlock, blocks):
        if deadlock.capacity.by_memory:
            return reason("use-gpu-or-fewer-blocks")
        return reason("launch-resident-blocks", most=deadlock.capacity.blocks)
    return reason("reach-grid-barrier" if deadlock.waiting[0].at_grid_barrier else "check-lock")


def _trapped(stop: _Stop) -> _LaunchFailure:
    assertion, line, thread = stop.outcome.assertion, stop.line, stop.thread
    advice = reason("check-condition")
    if stop.outcome.program.texts[stop.pc] == END_OF_CODE:
        message = reason("undefined-behaviour", line=line, thread=thread)
        advice = reason("find-invalid-access")
    elif assertion:
        message = reason("assertion-failed", assertion=assertion, line=line, thread=thread)
    else:
        message = reason("trap", line=line, thread=thread)
    return _LaunchFailure(kind=DiagnosticKind.TRAP, location=stop.location, message=message, advice=advice)


def _barrier_deadlock(stop: _Stop) -> _LaunchFailure:
    """Describe threads at a barrier that the other threads of their block can no longer reach."""
    outcome = stop.outcome
    by_pc: dict[int, list[int]] = {}
    for thread, pc in outcome.waiting:
        by_pc.setdefault(pc, []).append(thread)
    groups = tuple(
        reason(
            "waiting-threads",
            count=len(threads),
            line=line_name(outcome.program.locations[pc]),
            first=thread_name(outcome.shape, threads[0]),
        )
        for pc, threads in sorted(by_pc.items())
    )
    locations = [outcome.program.locations[pc] for pc in sorted(by_pc)]
    first = locations[0] if locations else stop.location
    return _LaunchFailure(
        kind=DiagnosticKind.DIVERGENT_BARRIER,
        location=first,
        message=_incomplete_barrier(stop, groups),
        advice=reason("reach-same-barrier"),
        related=tuple(other for other in locations[1:] if other is not None and other != first),
        threads=len(outcome.waiting),
    )


def _incomplete_barrier(stop: _Stop, groups: tuple[Reason, ...]) -> Reason:
    """The waiting and the ended threads of a block, and the branch after which the first of those ended."""
    outcome, ended = stop.outcome, stop.outcome.returned
    threads = reason("threads", count=outcome.shape.block.size)
    branch = outcome.program.locations[outcome.returned_pc] if outcome.returned_pc >= 0 else None
    if not ended:
        return reason("barrier-deadlock", block=stop.block, threads=threads, groups=groups)
    if branch is None:
        return reason(
            "barrier-deadlock-after-exit", block=stop.block, threads=threads, groups=groups, ended=ended
        )
    return reason(
        "barrier-deadlock-after-branch",
        block=stop.block,
        threads=threads,
        groups=groups,
        ended=ended,
        branch=line_name(branch),
    )


def _stack_overflow(stop: _Stop) -> _LaunchFailure:
    return _LaunchFailure(
        kind=DiagnosticKind.STACK_OVERFLOW,
        location=stop.location,
        message=reason("stack-overflow", line=stop.line, thread=stop.thread),
        advice=reason("end-recursion"),
    )


def _bad_jump(stop: _Stop) -> _LaunchFailure:
    return _LaunchFailure(
        kind=DiagnosticKind.DEVICE_FAULT,
        location=stop.location,
        message=reason("invalid-jump", line=stop.line, thread=stop.thread),
        advice=reason("check-jump"),
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
