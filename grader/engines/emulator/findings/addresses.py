"""The accesses that a launch recorded in full, with their source lines."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from grader.engines.emulator.core.addresses import ORIGIN_BYTES, SHARED_ORIGIN
from grader.engines.emulator.core.codes import Op
from grader.engines.emulator.decode.program import SharedArray
from grader.engines.emulator.display_names import shared_array_name
from grader.engines.emulator.isa.cells import WARP
from grader.engines.emulator.launch import LaunchOutcome
from grader.engines.emulator.profile import Profiled
from grader.model.reason import Reason
from grader.model.run import AccessSite

SiteKey = tuple[str, str | None, int | None, bool]
"""What an access and its site share: space, file, line and direction (whether it is a store)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """One access of a warp: the active ``lanes`` in order and their ``addresses``, ``size`` bytes each.

    ``cost`` is in sectors or wavefronts. ``array`` is the shared array of the access, with the name ``array_name``;
    addresses are relative to its start. Both are ``None`` for global memory.
    """

    site: SiteKey
    lanes: tuple[int, ...]
    addresses: tuple[int, ...]
    size: int
    cost: int
    array: SharedArray | None
    array_name: Reason | None

    @property
    def store(self) -> bool:
        """Whether the access writes."""
        return self.site[3]

    @property
    def steps(self) -> set[int]:
        """Distances in bytes from each active lane's address to that of the next lane, if that lane is active."""
        pairs = zip(self.lanes, self.addresses, self.lanes[1:], self.addresses[1:], strict=False)
        return {after - before for lane, before, other, after in pairs if other == lane + 1}


def site_key(site: AccessSite) -> SiteKey:
    """The key of a site."""
    return site.space, site.file, site.line, site.store


_LAUNCHES = 8
"""Launches of a kernel that contribute accesses. A thousand more launches add nothing and take a second."""


class RecordedAccesses:
    """The recorded accesses of a kernel's first launches, in order of execution.

    They are put together on first use: most kernels have no finding that needs them.
    """

    def __init__(self, launches: Sequence[Profiled]) -> None:
        self._launches = launches[:_LAUNCHES]

    @cached_property
    def everywhere(self) -> list[Access]:
        """All of them."""
        return [
            _access(launch.outcome, sample) for launch in self._launches for sample in launch.outcome.samples
        ]

    def at(self, keys: Collection[SiteKey]) -> list[Access]:
        """Those of the sites with these keys."""
        return [access for access in self.everywhere if access.site in keys]


def _access(outcome: LaunchOutcome, sample: Any) -> Access:
    pc, lanes = int(sample["pc"]), int(sample["lanes"])
    active = tuple(lane for lane in range(WARP) if lanes >> lane & 1)
    of_lanes = sample["addresses"].tolist()
    addresses = [of_lanes[lane] for lane in active]
    location = outcome.program.locations[pc]
    shared = bool(outcome.traffic[pc]["shared"])
    array = None
    if shared:
        addresses = [_in_shared(address) for address in addresses]
        array = _array_at(outcome, addresses[0])
        addresses = [address - array.offset for address in addresses] if array else addresses
    return Access(
        site=(
            "shared" if shared else "global",
            location.file if location else None,
            location.line if location else None,
            int(outcome.program.code[pc]["op"]) != Op.LOAD,
        ),
        lanes=active,
        addresses=tuple(addresses),
        size=int(sample["size"]),
        cost=int(sample["cost"]),
        array=array,
        array_name=shared_array_name(array.name, (other.name for other in outcome.program.shared))
        if array
        else None,
    )


def _in_shared(address: int) -> int:
    """Offset in shared memory of a shared or generic address."""
    return address - SHARED_ORIGIN if SHARED_ORIGIN <= address < SHARED_ORIGIN + ORIGIN_BYTES else address


def _array_at(outcome: LaunchOutcome, offset: int) -> SharedArray | None:
    before = [array for array in outcome.program.shared if array.offset <= offset]
    return max(before, key=lambda array: array.offset, default=None)
