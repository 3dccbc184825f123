"""Idle warps and blocks: how many like the longest one would do the work of all."""

import pytest

from grader.model.run import Counters, RunOptions
from tools.emulator.compiling import Argument, Out, run_cuda

SOURCE = """
extern "C" __global__ void climb(float* out, int low, int high, int longer, int in_every_block) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int steps = (in_every_block ? threadIdx.x : i) / 32 == longer ? high : low;
    float x = i;
    #pragma unroll 1
    for (int k = 0; k < steps; k++) x = x * x + 0.5f;
    out[i] = x;
}
"""
BLOCKS, WARPS_PER_BLOCK = 8, 4
WARPS = BLOCKS * WARPS_PER_BLOCK


def climbed(low: int, high: int, longer: int, *, in_every_block: bool = False) -> Counters:
    threads = 32 * WARPS_PER_BLOCK
    ran = run_cuda(
        SOURCE,
        BLOCKS,
        threads,
        {
            "out": Out((BLOCKS * threads,)),
            "low": low,
            "high": high,
            "longer": longer,
            "in_every_block": int(in_every_block),
        },
        options=RunOptions(),
    )
    return ran.counters


def test_warps_with_the_same_work_are_all_busy() -> None:
    counters = climbed(100, 100, longer=0)
    assert (counters.busy_blocks, counters.busy_warps) == (BLOCKS, WARPS_PER_BLOCK)


def test_equal_blocks_with_one_long_warp_are_busy_with_that() -> None:
    counters = climbed(0, 10_000, longer=2, in_every_block=True)
    assert counters.busy_blocks == BLOCKS
    assert counters.busy_warps == pytest.approx(1, rel=0.02)


@pytest.mark.parametrize("longer", [0, 5, WARPS - 1])
def test_the_longest_warp_counts_wherever_it_is(longer: int) -> None:
    counters = climbed(0, 10_000, longer)
    assert counters.busy_blocks == pytest.approx(1, rel=0.02)
    assert counters.busy_warps == pytest.approx(1, rel=0.05)


def test_blocks_that_leave_at_once_are_hardly_busy() -> None:
    source = """
extern "C" __global__ void half(float* out, int n, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = i;
    #pragma unroll 1
    for (int k = 0; k < steps; k++) x = x * x + 0.5f;
    out[i] = x;
}
"""
    args: dict[str, Argument] = {"out": Out((2048,)), "n": 1024, "steps": 5000}
    ran = run_cuda(source, 16, 128, args, options=RunOptions())
    assert ran.counters.blocks == 16
    assert ran.counters.busy_blocks == pytest.approx(8, rel=0.02)
