"""The properties of a GPU that grading needs."""

from dataclasses import dataclass
from enum import StrEnum


class RegisterAllocation(StrEnum):
    """Unit of register allocation: a warp, or a whole block (compute capability 1.x)."""

    WARP = "warp"
    BLOCK = "block"


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A GPU's limits and rates. Rates are per second, memory in bytes, clocks in hertz.

    ``arch`` is ``sm_NN``. Register and shared-memory granularities are those of the CUDA occupancy rules: registers
    are allocated in multiples of ``register_granularity``, warps in multiples of ``warp_granularity`` to an SM (to a
    block where ``register_allocation`` is ``BLOCK``), shared memory in multiples of ``shared_granularity`` after
    ``reserved_shared_per_block`` bytes for the system. ``shared_bytes_per_block`` is the most a kernel can opt in to.
    ``l1_bytes`` is the most that an SM's L1 caches, including the shared memory if both use the same storage.
    """

    name: str
    arch: str
    sm_count: int
    clock: float
    dram_bandwidth: float
    l2_bandwidth: float
    l1_bytes: int
    l2_bytes: int
    fp32_lanes_per_sm: int
    issue_slots_per_sm: int
    max_threads_per_sm: int
    max_blocks_per_sm: int
    max_warps_per_sm: int
    max_threads_per_block: int
    registers_per_sm: int
    register_granularity: int
    shared_bytes_per_sm: int
    shared_bytes_per_block: int
    shared_granularity: int
    reserved_shared_per_block: int
    launch_overhead: float
    fp64_lanes_per_sm: int = 2
    warp_granularity: int = 4
    register_allocation: RegisterAllocation = RegisterAllocation.WARP
    warp_size: int = 32
