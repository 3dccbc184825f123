"""Sum up how a kernel used global and shared memory: traffic by array, and values that passed through shared memory."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from grader.engines.cost_traffic import SECTOR_BYTES
from grader.engines.emulator.core.codes import Flow, Op
from grader.engines.emulator.launch import LaunchOutcome
from grader.model.location import SourceLocation
from grader.model.run import ArrayTraffic, SharedUse

_Key = tuple[str, str, bool]
_TRAFFIC = ["shared", "array", "transactions", "ideal", "useful"]


@dataclass(slots=True)
class _Sums:
    """Traffic of one array, and what moved in vain by line."""

    moved: int = 0
    useful: int = 0
    lines: defaultdict[SourceLocation, int] = field(default_factory=lambda: defaultdict(int))


def array_traffic(outcomes: Iterable[LaunchOutcome]) -> tuple[ArrayTraffic, ...]:
    """The traffic of each array in each direction, summed over launches, in the order of first use."""
    sums: defaultdict[_Key, _Sums] = defaultdict(_Sums)
    for outcome in outcomes:
        shared_names = [each.name for each in outcome.program.shared]
        accessed = np.flatnonzero(outcome.traffic["requests"])
        ops = outcome.program.code["op"][accessed].tolist()
        records = outcome.traffic[_TRAFFIC][accessed].tolist()
        for pc, op, (shared, array, transactions, ideal, useful) in zip(
            accessed.tolist(), ops, records, strict=True
        ):
            if shared:
                name = shared_names[array - 1] if 0 < array <= len(shared_names) else ""
                key, moved, needed = ("shared", name, False), transactions, ideal
            else:
                store = op == Op.STORE
                key = "global", outcome.window_names.get(array, ""), store
                moved, needed = SECTOR_BYTES * transactions, useful
            each = sums[key]
            each.moved += moved
            each.useful += needed
            each.lines[_location(outcome, pc)] += moved - needed
    return tuple(
        ArrayTraffic(
            space=space,
            name=name,
            store=store,
            moved=each.moved,
            useful=each.useful,
            location=_most(each.lines),
        )
        for (space, name, store), each in sums.items()
    )


def shared_use(outcomes: Sequence[LaunchOutcome]) -> SharedUse:
    """How values passed through shared memory, summed over launches."""
    direct: defaultdict[SourceLocation, int] = defaultdict(int)
    unread: defaultdict[SourceLocation, int] = defaultdict(int)
    staged = exchanged = read = fetched = 0
    for outcome in outcomes:
        traffic, ops = outcome.traffic[: len(outcome.program.code)], outcome.program.code["op"]
        # A word that a whole warp receives, such as a coefficient, counts once: shared memory would not save its loads.
        useful, requests = traffic["useful"] - traffic["repeated"], traffic["requests"]
        loads = (traffic["shared"] == 0) & (ops == Op.LOAD)
        is_staged = loads & (traffic["flow"] & Flow.STAGED != 0)
        is_direct = loads & ~is_staged & (traffic["flow"] & Flow.DIRECT != 0)
        staged += int(useful[is_staged].sum())
        fetched += int(traffic["transactions"][is_staged].sum())
        exchanged += int(traffic["exchanged"].sum())
        read += int(useful[(traffic["shared"] == 1) & (traffic["flow"] & Flow.DELIVERS != 0)].sum())
        _add(direct, outcome, useful, is_direct)
        _add(
            unread,
            outcome,
            requests,
            (traffic["shared"] == 1) & (ops != Op.LOAD) & (traffic["exchanged"] == 0),
        )
    return SharedUse(
        staged=staged,
        direct=sum(direct.values()),
        exchanged=exchanged,
        read=read,
        loaders=sum(outcome.loaders for outcome in outcomes),
        receivers=sum(outcome.receivers for outcome in outcomes),
        fetched=fetched,
        gathered=sum(outcome.gathered for outcome in outcomes),
        direct_at=_most(direct),
        unread_at=_most(unread),
    )


def _add(
    amounts: defaultdict[SourceLocation, int],
    outcome: LaunchOutcome,
    counts: NDArray[np.int64],
    chosen: NDArray[np.bool_],
) -> None:
    """Add the ``counts`` of the ``chosen`` instructions to their lines."""
    for pc in np.flatnonzero(chosen & (counts > 0)).tolist():
        amounts[_location(outcome, pc)] += int(counts[pc])


def _location(outcome: LaunchOutcome, pc: int) -> SourceLocation:
    location = outcome.program.locations[pc]
    return SourceLocation(file=location.file, line=location.line) if location else SourceLocation()


def _most(amounts: Mapping[SourceLocation, int]) -> SourceLocation | None:
    return max(amounts, key=amounts.__getitem__, default=None)
