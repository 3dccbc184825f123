"""The traffic of a kernel on a device: what the L1 has, what the L2 must move, and at which cost."""

from dataclasses import dataclass

from grader.engines.residence import Residence
from grader.model.run import Counters

SECTOR_BYTES = 32

SECTORS_PER_LINE = 4

LINE_BYTES = SECTOR_BYTES * SECTORS_PER_LINE

L1_HIT_SHARE = 0.8
"""Fitted: the share of the loaded sectors that are not compulsory which the L1 has."""

STORED_LINE_COST = 2.3
"""Fitted: loaded sectors that pass through the L2 while it takes the store of one line, or of any part of it: a store
leaves the SM as one request per line (Nsight Compute, Kernel Profiling Guide, table of the L2: sectors per request).
Each thread's atomic is a request, also if it shares its line with others of its warp."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Traffic:
    """Sectors and requests of global memory, by direction; textures are loads of whole lines.

    ``cold`` is the share of sectors that memory must deliver; of the other loads, the L1 has the share ``hits``: less
    where one request of every resident warp touches more lines than fit, or where the kernel works in place.
    ``stored_lines`` are requests of stores and
    atomics to the L2. ``lines`` are looked up in the L1, one for each thread's atomic.
    """

    load_requests: float
    load_sectors: float
    stored_lines: float
    lines: float
    cold: float
    hits: float

    @property
    def l2_sectors(self) -> float:
        """Sectors that could be loaded through the L2 in the time that all loads and stores take it."""
        loads = self.load_sectors * (self.cold + (1 - self.cold) * (1 - self.hits))
        return loads + STORED_LINE_COST * self.stored_lines


def moved_bytes(counters: Counters) -> int:
    """Bytes of all sectors that requests and texture reads touched."""
    return (counters.global_sectors + counters.texture_requests * SECTORS_PER_LINE) * SECTOR_BYTES


def traffic(counters: Counters, cold: float, resident: Residence) -> Traffic:
    """By the sites of the accesses. Where none were kept, all requests count as loads."""
    stores = [site for site in counters.sites if site.space == "global" and site.store]
    written = sum(site.transactions for site in stores)
    load_requests = counters.global_requests - sum(site.requests for site in stores)
    lines = max(counters.cache_lines, counters.global_requests, counters.global_sectors / SECTORS_PER_LINE)
    wanted = resident.warps * LINE_BYTES * lines / max(1, counters.global_requests)
    return Traffic(
        load_requests=load_requests,
        load_sectors=counters.global_sectors - written + counters.texture_requests * SECTORS_PER_LINE,
        stored_lines=counters.stored_lines + counters.atomic_operations,
        lines=lines + counters.atomic_operations - counters.atomic_lines,
        cold=cold,
        hits=_hits(counters, load_requests, resident.l1_bytes / max(1.0, wanted)),
    )


def _hits(counters: Counters, load_requests: int, fitting: float) -> float:
    """The share of the loads that the L1 has, of those that are not compulsory.

    Stores go to the L2. Of an array that the kernel also stores, the L1 has only what the loads brought that a warp
    waits for together: this is what a GPU's times show where threads update neighbouring elements one by one.
    """
    anywhere = L1_HIT_SHARE * min(1.0, fitting)
    one_by_one = min(1.0, (counters.chained_loads or 0) / max(1, load_requests))
    in_place = in_place_share(counters)
    return anywhere * (1 - in_place) + min(anywhere, 1 - one_by_one) * in_place


def in_place_share(counters: Counters) -> float:
    """The share of the bytes loaded from global memory that come from arrays which the kernel also stores."""
    arrays = [array for array in counters.arrays if array.space == "global"]
    stored = {array.name for array in arrays if array.store}
    loaded = sum(array.moved for array in arrays if not array.store)
    return sum(array.moved for array in arrays if not array.store and array.name in stored) / max(1, loaded)
