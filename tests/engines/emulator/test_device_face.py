"""Special registers report what the imitated device would, not what the emulator is."""

import numpy as np

from grader.model.devices import H200, TESLA_T4
from tools.emulator.compiling import Out, run_cuda

READ = """
extern "C" __global__ void read(unsigned* out) {
    unsigned v; unsigned long long wide;
    unsigned* mine = out + 8 * blockIdx.x;
    if (threadIdx.x != 32) return;
    asm volatile("mov.u32 %0, %nsmid;" : "=r"(v)); mine[0] = v;
    asm volatile("mov.u32 %0, %nwarpid;" : "=r"(v)); mine[1] = v;
    asm volatile("mov.u32 %0, %smid;" : "=r"(v)); mine[2] = v;
    asm volatile("mov.u32 %0, %warpid;" : "=r"(v)); mine[3] = v;
    asm volatile("mov.u32 %0, %total_smem_size;" : "=r"(v)); mine[4] = v;
    asm volatile("mov.u64 %0, %clock64;" : "=l"(wide)); mine[5] = wide >> 32;
    asm volatile("mov.u32 %0, %clock_hi;" : "=r"(v)); mine[6] = v;
    asm volatile("mov.u32 %0, %globaltimer_hi;" : "=r"(v)); mine[7] = v;
}
"""


def test_counts_are_those_of_the_device() -> None:
    for device in (TESLA_T4, H200):
        read = run_cuda(READ, 1, 64, {"out": Out((1, 8), np.uint32)}, device=device)["out"][0]
        assert (read[0], read[1]) == (device.sm_count, device.max_warps_per_sm)


def test_blocks_spread_over_all_multiprocessors() -> None:
    count = TESLA_T4.sm_count
    read = run_cuda(READ, 2 * count, 64, {"out": Out((2 * count, 8), np.uint32)})["out"]
    assert sorted(read[:count, 2]) == list(range(count))
    assert read[0, 2] != read[1, 2]
    assert (read[:count, 2] == read[count:, 2]).all()


def test_a_second_block_of_a_multiprocessor_has_other_warps() -> None:
    count = TESLA_T4.sm_count
    read = run_cuda(READ, 2 * count, 64, {"out": Out((2 * count, 8), np.uint32)})["out"]
    assert set(read[:count, 3]) == {1}
    assert set(read[count:, 3]) == {3}


def test_shared_memory_is_allocated_in_the_units_of_the_device() -> None:
    read = run_cuda(READ, 1, 64, {"out": Out((1, 8), np.uint32)}, shared=100)["out"][0]
    assert read[4] == TESLA_T4.shared_granularity


def test_a_clock_has_run_before_the_launch() -> None:
    read = run_cuda(READ, 1, 64, {"out": Out((1, 8), np.uint32)})["out"][0]
    assert read[5] == read[6] > 0
    assert read[7] > 1 << 28
