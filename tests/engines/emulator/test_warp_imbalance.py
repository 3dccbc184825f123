"""How much more than the average the longest warp of a launch has to do."""

import pytest

from grader.model.run import Counters, RunOptions
from tests.engines.emulator.compiling import Out, run_cuda

SOURCE = """
extern "C" __global__ void climb(float* out, int low, int high, int longer) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int steps = i / 32 == longer ? high : low;
    float x = i;
    #pragma unroll 1
    for (int k = 0; k < steps; k++) x = x * x + 0.5f;
    out[i] = x;
}
"""
BLOCKS, WARPS_PER_BLOCK = 8, 4
WARPS = BLOCKS * WARPS_PER_BLOCK


def climbed(low: int, high: int, longer: int) -> Counters:
    threads = 32 * WARPS_PER_BLOCK
    ran = run_cuda(
        SOURCE,
        BLOCKS,
        threads,
        {"out": Out((BLOCKS * threads,)), "low": low, "high": high, "longer": longer},
        options=RunOptions(),
    )
    return ran.counters


def test_warps_with_the_same_work_are_in_balance() -> None:
    assert climbed(100, 100, longer=0).warp_imbalance == 1


@pytest.mark.parametrize("longer", [0, 5, WARPS - 1])
def test_the_longest_warp_counts_wherever_it_is(longer: int) -> None:
    # Ten thousand steps in one warp and none elsewhere: all the work is one warp's, up to what surrounds the loop.
    assert climbed(0, 10_000, longer).warp_imbalance == pytest.approx(WARPS, rel=0.02)


def test_half_of_the_work_in_one_warp_makes_it_as_long_as_the_others_together() -> None:
    assert climbed(1000, 1000 * (WARPS - 1), longer=3).warp_imbalance == pytest.approx(WARPS / 2, rel=0.02)
