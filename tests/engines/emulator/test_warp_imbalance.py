"""Warp imbalance: the work of a launch's longest warp relative to the average."""

import pytest

from grader.model.run import Counters, RunOptions
from tools.emulator.compiling import Out, run_cuda

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


def test_warps_with_the_same_work_are_in_balance() -> None:
    assert climbed(100, 100, longer=0).warp_imbalance == 1


def test_equal_blocks_are_balanced_even_if_warps_differ() -> None:
    assert climbed(10, 1000, longer=2, in_every_block=True).warp_imbalance == 1


@pytest.mark.parametrize("longer", [0, 5, WARPS - 1])
def test_the_longest_warp_counts_wherever_it_is(longer: int) -> None:
    # One warp does all the work, except for the code around the loop: on average a block's longest warp has an eighth
    # of it, and a warp has a 32nd.
    more = (1 - 1 / BLOCKS) * WARPS
    assert climbed(0, 10_000, longer).warp_imbalance == pytest.approx(1 + more, rel=0.02)


def test_a_warp_as_long_as_all_the_others_together() -> None:
    longest, others = 1000 * (WARPS - 1), 1000
    average, block = 2 * longest / WARPS, (longest + (BLOCKS - 1) * others) / BLOCKS
    assert climbed(others, longest, longer=3).warp_imbalance == pytest.approx(
        1 + (longest - block) / average, rel=0.02
    )
