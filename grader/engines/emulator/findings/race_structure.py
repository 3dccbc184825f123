"""What is between the two accesses of a race, and which threads come there."""

from grader.engines.emulator.core.codes import Flag, Status
from grader.engines.emulator.findings.event import Event
from grader.engines.emulator.ptx.syntax import Location


def is_one_instruction(e: Event) -> bool:
    """Whether lanes of one warp conflict in one execution of one instruction."""
    return bool(e.record["detail"])


def is_lost_update(e: Event) -> bool:
    """Whether lanes of one warp write back what they computed from the same old value."""
    return is_one_instruction(e) and e.has_flag(Flag.UPDATES)


def is_one_line(e: Event) -> bool:
    """Whether both accesses are in one source line."""
    return e.location == e.other_location


def crosses_iterations(e: Event) -> bool:
    """Whether the two accesses are in different iterations of a loop.

    They are if the barrier before both is between their lines, and if the first of these lines is also before the
    barrier in the code: a function that stands above its kernel in the file is not.
    """
    here, there, before = e.location, e.other_location, e.sync_location("before_pc")
    if here is None or there is None or before is None or e.sync_op("between_pc") is not None:
        return False
    if not here.file == there.file == before.file:
        return False
    first, last = sorted((here, there), key=lambda location: location.line)
    return (
        first.line < before.line < last.line
        and first in e.outcome.program.locations[: int(e.record["before_pc"])]
    )


def earlier_iteration_first(e: Event) -> Event:
    """A pair that crosses iterations, with the access of the earlier iteration first: that of the last line."""
    here, there = e.location, e.other_location
    is_later = here is not None and there is not None and here.line < there.line
    return e.swapped() if is_later else e


def skipped_location(e: Event) -> Location | None:
    """The line of one of the accesses that some threads never run; ``None`` if there is none or it is unknown."""
    outcome = e.outcome
    if outcome.status is not Status.DONE:
        return None
    threads = outcome.shape.grid.size * outcome.shape.block.size
    for location, field in ((e.location, "pc"), (e.other_location, "other_pc")):
        op = outcome.program.code[int(e.record[field])]["op"]
        runs = sum(
            int(outcome.hits[pc, 1])
            for pc, other in enumerate(outcome.program.locations)
            if other == location and outcome.program.code[pc]["op"] == op
        )
        if location is not None and runs < threads:
            return location
    return None
