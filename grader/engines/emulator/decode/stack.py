"""Compute the stack that a program may need: the deepest chain of calls, with a bound on recursion."""

from collections.abc import Mapping
from dataclasses import dataclass

RECURSION_DEPTH = 256
"""Maximum call depth of a recursive function."""

MAX_FRAME_BYTES = 4 << 20
"""Most bytes that a recursive function's frames may take in one warp; it limits the depth of large functions."""

MAX_RECURSIVE_LOCAL_BYTES = 256 << 10
"""Most bytes that they may take of a thread's local memory."""


@dataclass(frozen=True, slots=True)
class Needs:
    """Bytes of register rows and of local memory that one call of a function needs, and the functions it may call."""

    frame: int
    local: int
    callees: tuple[str, ...] = ()


def stack_bytes(functions: Mapping[str, Needs], entry: str) -> tuple[int, int]:
    """Bytes of frames and of local memory that ``entry`` may need with all it calls.

    Mutually recursive functions count as one function that is ``RECURSION_DEPTH`` deep, with the frames of all of
    them at each level.
    """
    totals: dict[str, tuple[int, int]] = {}
    for group in _groups(functions, entry):
        frame = sum(functions[name].frame for name in group)
        local = sum(functions[name].local for name in group)
        if len(group) > 1 or group[0] in functions[group[0]].callees:
            room = MAX_RECURSIVE_LOCAL_BYTES // max(local, 1)
            depth = max(1, min(RECURSION_DEPTH, MAX_FRAME_BYTES // frame, room))
            frame, local = depth * frame, depth * local
        inner = [
            totals[callee] for name in group for callee in functions[name].callees if callee not in group
        ]
        total = (
            frame + max((need[0] for need in inner), default=0),
            local + max((need[1] for need in inner), default=0),
        )
        totals |= dict.fromkeys(group, total)
    return totals[entry]


def _groups(functions: Mapping[str, Needs], entry: str) -> list[list[str]]:
    """Groups of functions that can reach each other, callees before their callers (Tarjan's algorithm)."""
    number: dict[str, int] = {entry: 0}
    lowest: dict[str, int] = {entry: 0}
    path, groups = [entry], []
    waiting = [(entry, iter(functions[entry].callees))]
    grouped: set[str] = set()
    while waiting:
        name, callees = waiting[-1]
        callee = next((c for c in callees if c not in grouped), None)
        if callee is None:
            waiting.pop()
            if waiting:
                caller = waiting[-1][0]
                lowest[caller] = min(lowest[caller], lowest[name])
            if lowest[name] == number[name]:
                group = path[path.index(name) :]
                del path[-len(group) :]
                grouped.update(group)
                groups.append(group)
        elif callee in number:
            lowest[name] = min(lowest[name], number[callee])
        else:
            number[callee] = lowest[callee] = len(number)
            path.append(callee)
            waiting.append((callee, iter(functions[callee].callees)))
    return groups
