"""How the blocks of a launch are spread over a device: how many an SM holds, and how long the busiest SM works."""

import math
from dataclasses import dataclass

from grader.compile.occupancy import occupancy
from grader.model.device import Device
from grader.model.run import Counters


@dataclass(frozen=True, slots=True, kw_only=True)
class Residence:
    """The distribution of a launch's blocks over the device.

    ``warps`` is how many an SM holds at once, beside ``l1_bytes`` of cache. ``generations`` of the ``busy_blocks``
    follow each other on an SM; the busiest SM has ``imbalance`` times the average work. ``waiting_blocks_per_sm`` start
    when another one ends.
    """

    busy_blocks: int
    warps: int
    l1_bytes: int
    generations: float
    imbalance: float
    waiting_blocks_per_sm: float


def residence(counters: Counters, device: Device, blocks: int) -> Residence:
    """For ``blocks`` like those counted. A device that cannot hold a block is assumed to hold one."""
    found = occupancy(device, counters.threads_per_block, counters.registers, counters.shared_bytes)
    held = max(1, found.active_blocks)
    busy = round(busy_share(counters) * blocks)
    busy_per_sm = busy / device.sm_count
    resident = min(held, math.ceil(busy_per_sm))
    shares_l1 = device.l1_bytes > device.shared_bytes_per_sm
    return Residence(
        busy_blocks=busy,
        warps=resident * warps_per_block(counters, device),
        l1_bytes=max(0, device.l1_bytes - (resident * counters.shared_bytes if shares_l1 else 0)),
        generations=max(1.0, busy_per_sm / held),
        imbalance=math.ceil(busy_per_sm) / busy_per_sm if 0 < busy_per_sm < held else 1.0,
        waiting_blocks_per_sm=max(0.0, blocks / device.sm_count - held),
    )


def busy_share(counters: Counters) -> float:
    """The blocks that would do all the work if each did as much as the longest, over all blocks."""
    if counters.busy_blocks is None or not counters.blocks:
        return 1.0
    return counters.busy_blocks / counters.blocks


def warps_per_block(counters: Counters, device: Device) -> int:
    """Warps of a block, idle ones included."""
    return -(-counters.threads_per_block // device.warp_size)
