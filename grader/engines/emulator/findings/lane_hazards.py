"""Findings on lanes of a warp that exchange data without a barrier: one for all lines with one cause.

A function that adds up a warp's values has such an exchange in every line, and between every two lines that follow
each other. What is missing is the same everywhere.
"""

from collections.abc import Iterable

from grader.engines.emulator.display_names import numbers_name
from grader.engines.emulator.findings.event import Event
from grader.engines.emulator.findings.race_advice import warp_barrier
from grader.engines.emulator.ptx.syntax import Location
from grader.model.reason import Reason, reason


def lines_of(events: Iterable[Event]) -> list[Location]:
    """The known lines of both accesses of all ``events``, in source order."""
    lines = {line for event in events for line in (event.location, event.other_location)}
    return sorted((line for line in lines if line is not None), key=lambda line: (line.file, line.line))


def by_cause(events: Iterable[Event]) -> list[list[Event]]:
    """``events`` in groups that share lines, directly or through others of their group."""
    groups: list[list[Event]] = []
    for event in events:
        mine = set(lines_of([event]))
        touching = [group for group in groups if mine & set(lines_of(group))]
        groups = [group for group in groups if group not in touching]
        groups.append([*(each for group in touching for each in group), event])
    return groups


def message(events: list[Event]) -> Reason:
    """What several pairs of lines do."""
    first = events[0]
    return reason(
        "lane-hazard-in-lines",
        barrier=warp_barrier(first),
        subject=tuple(dict.fromkeys(event.target() for event in events)),
        lines=numbers_name(line.line for line in lines_of(events)),
        thread=first.thread,
        other=first.other_thread,
    )


def advice(events: list[Event]) -> Reason:
    """What to do about all of them."""
    return reason("add-warp-barriers", barrier=warp_barrier(events[0]))
