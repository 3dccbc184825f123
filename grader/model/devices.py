"""Presets of GPUs, by name, for occupancy and the cost model.

Per-SM limits and allocation units: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", and
the data sheet of NVIDIA's Occupancy Calculator. SM counts, boost clocks, caches and memory bandwidth: NVIDIA's product
data sheets and architecture white papers, or the device's driver where a preset says so; ``l1_bytes`` includes
the shared memory from Turing on. Not every data sheet states the L2 bandwidth; each preset names the
source of its figure. ``launch_overhead`` is the usual 2-3 microseconds between back-to-back kernels.
"""

from grader.errors import UserError
from grader.model.device import Device, RegisterAllocation

KIB = 1024
MIB = 1024 * KIB

G80 = Device(
    # GeForce 8800 GTX, compute capability 1.0: the device of the lectures. Global loads are not cached, so the
    # figure for the L2 is that of the memory bus. There is no double precision.
    name="GeForce 8800 GTX",
    arch="sm_10",
    sm_count=16,
    clock=1.35e9,
    dram_bandwidth=86.4e9,
    l2_bandwidth=86.4e9,
    l1_bytes=0,
    l2_bytes=0,
    fp32_lanes_per_sm=8,
    fp64_lanes_per_sm=0,
    issue_slots_per_sm=1,
    max_threads_per_sm=768,
    max_blocks_per_sm=8,
    max_warps_per_sm=24,
    max_threads_per_block=512,
    registers_per_sm=8 * KIB,
    register_granularity=256,
    register_allocation=RegisterAllocation.BLOCK,
    warp_granularity=2,
    shared_bytes_per_sm=16 * KIB,
    shared_bytes_per_block=16 * KIB,
    shared_granularity=512,
    reserved_shared_per_block=0,
    launch_overhead=10e-6,
)

TESLA_P100 = Device(
    # SXM2, 16 GB. L2: measured by Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking".
    name="Tesla P100",
    arch="sm_60",
    sm_count=56,
    clock=1.480e9,
    dram_bandwidth=732e9,
    l2_bandwidth=1.62e12,
    l1_bytes=24 * KIB,
    l2_bytes=4 * MIB,
    fp32_lanes_per_sm=64,
    fp64_lanes_per_sm=32,
    issue_slots_per_sm=2,
    max_threads_per_sm=2048,
    max_blocks_per_sm=32,
    max_warps_per_sm=64,
    max_threads_per_block=1024,
    registers_per_sm=64 * KIB,
    register_granularity=256,
    warp_granularity=2,
    shared_bytes_per_sm=64 * KIB,
    shared_bytes_per_block=48 * KIB,
    shared_granularity=256,
    reserved_shared_per_block=0,
    launch_overhead=3e-6,
)

TESLA_T4 = Device(
    # L2: measured by Jia et al., "Dissecting the NVidia Turing T4 GPU via Microbenchmarking".
    name="Tesla T4",
    arch="sm_75",
    sm_count=40,
    clock=1.590e9,
    dram_bandwidth=320e9,
    l2_bandwidth=1.27e12,
    l1_bytes=96 * KIB,
    l2_bytes=4 * MIB,
    fp32_lanes_per_sm=64,
    fp64_lanes_per_sm=2,
    issue_slots_per_sm=4,
    max_threads_per_sm=1024,
    max_blocks_per_sm=16,
    max_warps_per_sm=32,
    max_threads_per_block=1024,
    registers_per_sm=64 * KIB,
    register_granularity=256,
    shared_bytes_per_sm=64 * KIB,
    shared_bytes_per_block=64 * KIB,
    shared_granularity=256,
    reserved_shared_per_block=0,
    launch_overhead=3e-6,
)

A100 = Device(
    # SXM4, 40 GB. L2: about 0.62 of its peak of 5120 bytes per clock (A100 white paper), the share that
    # microbenchmarks reach on its successor.
    name="A100",
    arch="sm_80",
    sm_count=108,
    clock=1.410e9,
    dram_bandwidth=1.555e12,
    l2_bandwidth=4.5e12,
    l1_bytes=192 * KIB,
    l2_bytes=40 * MIB,
    fp32_lanes_per_sm=64,
    fp64_lanes_per_sm=32,
    issue_slots_per_sm=4,
    max_threads_per_sm=2048,
    max_blocks_per_sm=32,
    max_warps_per_sm=64,
    max_threads_per_block=1024,
    registers_per_sm=64 * KIB,
    register_granularity=256,
    shared_bytes_per_sm=164 * KIB,
    shared_bytes_per_block=163 * KIB,
    shared_granularity=128,
    reserved_shared_per_block=1 * KIB,
    launch_overhead=2.5e-6,
)

RTX_4090 = Device(
    # L2: about 5 TB/s in published microbenchmarks; NVIDIA states none.
    name="GeForce RTX 4090",
    arch="sm_89",
    sm_count=128,
    clock=2.520e9,
    dram_bandwidth=1.008e12,
    l2_bandwidth=5.0e12,
    l1_bytes=128 * KIB,
    l2_bytes=72 * MIB,
    fp32_lanes_per_sm=128,
    fp64_lanes_per_sm=2,
    issue_slots_per_sm=4,
    max_threads_per_sm=1536,
    max_blocks_per_sm=24,
    max_warps_per_sm=48,
    max_threads_per_block=1024,
    registers_per_sm=64 * KIB,
    register_granularity=256,
    shared_bytes_per_sm=100 * KIB,
    shared_bytes_per_block=99 * KIB,
    shared_granularity=128,
    reserved_shared_per_block=1 * KIB,
    launch_overhead=2.5e-6,
)

H200 = Device(
    # SXM, 141 GB. SMs, clock, L2 and shared memory: as the driver of one reports them (580.159.04). Its memory clock of
    # 3201 MHz and bus of 6016 bits make 4.81 TB/s; the data sheet says 4.8. L2 bandwidth: 5.5-5.7 TB/s in published
    # microbenchmarks of the same chip (H100); NVIDIA states none.
    name="H200",
    arch="sm_90",
    sm_count=132,
    clock=1.980e9,
    dram_bandwidth=4.8e12,
    l2_bandwidth=5.6e12,
    l1_bytes=256 * KIB,
    l2_bytes=60 * MIB,
    fp32_lanes_per_sm=128,
    fp64_lanes_per_sm=64,
    issue_slots_per_sm=4,
    max_threads_per_sm=2048,
    max_blocks_per_sm=32,
    max_warps_per_sm=64,
    max_threads_per_block=1024,
    registers_per_sm=64 * KIB,
    register_granularity=256,
    shared_bytes_per_sm=228 * KIB,
    shared_bytes_per_block=227 * KIB,
    shared_granularity=128,
    reserved_shared_per_block=1 * KIB,
    launch_overhead=2.5e-6,
)

DEVICES: dict[str, Device] = {
    "g80": G80,
    "p100": TESLA_P100,
    "t4": TESLA_T4,
    "a100": A100,
    "rtx-4090": RTX_4090,
    "h200": H200,
}
"""Every preset by the name that ``grader.toml`` and the command line use."""


def by_name(name: str) -> Device:
    """The preset called ``name``, by its short name or the device's full name, ignoring case. Raises: ``UserError``."""
    wanted = name.strip().casefold()
    for short, device in DEVICES.items():
        if wanted in {short, device.name.casefold()}:
            return device
    msg = f"unknown device {name!r}."
    raise UserError(msg, hint=f"Use one of {', '.join(DEVICES)}.")
