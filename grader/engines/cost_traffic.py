"""The traffic of a kernel on a device: what the L1 has, what the L2 must move, and at which cost."""

from dataclasses import dataclass

from grader.engines.residence import Residence
from grader.model.run import Counters

SECTOR_BYTES = 32

SECTORS_PER_LINE = 4

LINE_BYTES = SECTOR_BYTES * SECTORS_PER_LINE

L1_HIT_SHARE = 0.8
"""Fitted: the share of the loaded sectors that are not compulsory which the L1 has."""

PARTIAL_SECTOR_COST = 2.75
"""Fitted: passages through the L2 that a sector costs which is written in part. Its write path is half as wide. Each
thread's atomic is such a write, also if it shares its sector with others of its warp."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Traffic:
    """Sectors and requests of global memory, by direction; textures are loads of whole lines.

    ``cold`` is the share of sectors that memory must deliver; of the other loads, the L1 has the share ``hits``: less
    where one request of every resident warp touches more lines than fit. ``lines`` are looked up in the L1, one for
    each thread's atomic.
    """

    load_requests: float
    load_sectors: float
    whole_store_sectors: float
    partial_store_sectors: float
    lines: float
    cold: float
    hits: float

    @property
    def l2_sectors(self) -> float:
        """Sectors that pass through the L2, weighted by their cost."""
        loads = self.load_sectors * (self.cold + (1 - self.cold) * (1 - self.hits))
        return loads + self.whole_store_sectors + PARTIAL_SECTOR_COST * self.partial_store_sectors


def moved_bytes(counters: Counters) -> int:
    """Bytes of all sectors that requests and texture reads touched."""
    return (counters.global_sectors + counters.texture_requests * SECTORS_PER_LINE) * SECTOR_BYTES


def traffic(counters: Counters, cold: float, resident: Residence) -> Traffic:
    """By the sites of the accesses. Where none were kept, all requests count as loads."""
    sites = [site for site in counters.sites if site.space == "global"]
    stores = [site for site in sites if site.store]
    written = sum(site.transactions for site in stores)
    whole = sum(min(site.ideal, site.transactions) for site in stores)
    lines = max(counters.cache_lines, counters.global_requests, counters.global_sectors / SECTORS_PER_LINE)
    wanted = resident.warps * LINE_BYTES * lines / max(1, counters.global_requests)
    return Traffic(
        load_requests=counters.global_requests - sum(site.requests for site in stores),
        load_sectors=counters.global_sectors - written + counters.texture_requests * SECTORS_PER_LINE,
        whole_store_sectors=whole,
        partial_store_sectors=written - whole + counters.atomic_operations - counters.atomic_sectors,
        lines=lines + counters.atomic_operations - counters.atomic_lines,
        cold=cold,
        hits=L1_HIT_SHARE * min(1.0, resident.l1_bytes / max(1.0, wanted)),
    )
