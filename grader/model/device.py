"""What a GPU is, as far as grading needs to know."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A GPU's limits and rates. Rates are per second, memory in bytes, clocks in hertz.

    ``arch`` is ``sm_NN``. Register and shared-memory granularities are those of the CUDA occupancy rules.
    """

    name: str
    arch: str
    sm_count: int
    clock: float
    dram_bandwidth: float
    l2_bandwidth: float
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
    warp_size: int = 32
