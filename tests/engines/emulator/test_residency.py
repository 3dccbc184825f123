"""Blocks that wait for each other are resident together as on a GPU; an endless wait is reported at once."""

import dataclasses
import subprocess
import sys
import time

import numpy as np
import pytest

from grader.engines.emulator.device_face import face_of
from grader.engines.emulator.residency import MAX_RESIDENT_BYTES
from grader.model.devices import TESLA_T4
from grader.model.diagnostic import DiagnosticKind
from grader.model.plan import Dim3, LaunchShape
from grader.model.run import RunOptions
from grader.model.verdict import Verdict
from tests.engines.emulator.waiting_blocks import CROWD
from tools.emulator.compiling import Argument, InOut, Out, Ran, line_of, run_cuda
from tools.messages import english
from tools.paths import CHECKOUT

UNWATCHED = RunOptions(diagnostics=False)
BOTH = pytest.mark.parametrize("options", [RunOptions(), UNWATCHED], ids=["diagnosed", "plain"])
SMALL_DEVICE = dataclasses.replace(TESLA_T4, sm_count=2, max_blocks_per_sm=2)
"""A device that holds four resident blocks."""

ZEROS = np.zeros(4, np.int32)


def assert_timed_out(ran: Ran, kind: DiagnosticKind, line: int) -> str:
    """Check the timeout and its finding of ``kind``. Returns: the finding's message and advice."""
    assert ran.fault is not None
    assert ran.fault.verdict is Verdict.TIMED_OUT
    assert ran.lines(kind) == {line}
    return f"{english(ran.found(kind)[0].message)}; {english(ran.found(kind)[0].advice)}"


LOCK = """
extern "C" __global__ void k(int* lock, int* sum) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) { }
        __threadfence();
        *(volatile int*)sum += blockIdx.x + 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}
"""

BACKWARD = """
extern "C" __global__ void k(int* flags, int* sum) {
    if (threadIdx.x == 0) {
        int next = blockIdx.x + 1;
        if (next < gridDim.x) while (atomicAdd(&flags[next], 0) == 0) { }
        int before = next < gridDim.x ? ((volatile int*)sum)[next] : 0;
        ((volatile int*)sum)[blockIdx.x] = before + 1;
        __threadfence();
        atomicExch(&flags[blockIdx.x], 1);
    }
}
"""

BACKING_OFF = """
extern "C" __global__ void k(int* flag, int* out) {
    int tries = 0;
    if (blockIdx.x + 1 < gridDim.x) while (*(volatile int*)flag == 0) { ++tries; }
    else { __threadfence(); atomicExch(flag, 1); }
    out[blockIdx.x] = tries >= 0;
}
"""


@BOTH
def test_a_lock_is_taken_by_one_block_after_another(options: RunOptions) -> None:
    ran = run_cuda(LOCK, 50, 64, {"lock": InOut(ZEROS), "sum": InOut(ZEROS)}, options=options)
    assert ran["sum"][0] == 50 * 51 // 2
    assert ran.found(DiagnosticKind.GLOBAL_RACE) == []


@BOTH
def test_blocks_wait_for_blocks_that_come_later_in_the_grid(options: RunOptions) -> None:
    flags = np.zeros(40, np.int32)
    ran = run_cuda(BACKWARD, 40, 64, {"flags": InOut(flags), "sum": InOut(flags)}, options=options)
    assert ran["sum"].tolist() == list(range(40, 0, -1))


@BOTH
def test_a_wait_that_counts_its_tries_lets_other_blocks_run(options: RunOptions) -> None:
    ran = run_cuda(BACKING_OFF, 8, 32, {"flag": InOut(ZEROS), "out": Out((8,), np.int32)}, options=options)
    assert ran["out"].tolist() == [1] * 8


LOOK_BACK = """
extern "C" __global__ void k(int* flags, int* sums, const int* x, int* out) {
    __shared__ int s[64], before;
    int t = threadIdx.x, b = blockIdx.x;
    s[t] = x[b * 64 + t];
    __syncthreads();
    if (t == 0) {
        int sum = 0;
        for (int i = 0; i < 64; ++i) sum += s[i];
        before = 0;
        if (b > 0) {
            while (((volatile int*)flags)[b - 1] == 0) { }
            __threadfence();
            before = sums[b - 1];
        }
        sums[b] = before + sum;
        __threadfence();
        ((volatile int*)flags)[b] = 1;
    }
    __syncthreads();
    out[b * 64 + t] = before;
}
"""


@BOTH
@pytest.mark.parametrize("seed", [0, 1, 3])
def test_a_look_back_scan_is_right_in_every_block_order(seed: int, options: RunOptions) -> None:
    x = np.arange(600 * 64, dtype=np.int32) % 7
    arguments: dict[str, Argument] = {
        "flags": InOut(np.zeros(600, np.int32)),
        "sums": Out((600,), np.int32),
        "x": x,
        "out": Out(x.shape, np.int32),
    }
    ran = run_cuda(LOOK_BACK, 600, 64, arguments, options=dataclasses.replace(options, schedule_seed=seed))
    sums = np.cumsum(x.reshape(600, 64).sum(axis=1))
    assert np.array_equal(ran["sums"], sums)
    assert np.array_equal(ran["out"][::64], np.concatenate([[0], sums[:-1]]))
    assert ran.found(DiagnosticKind.GLOBAL_RACE, DiagnosticKind.UNINITIALISED) == []


@BOTH
def test_a_grid_barrier_made_of_atomics_and_spins_works(options: RunOptions) -> None:
    source = """
extern "C" __global__ void k(unsigned* arrived, int* a, int n) {
    for (int round = 0; round < 4; ++round) {
        a[blockIdx.x] = a[blockIdx.x] + 1;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            unsigned old = atomicAdd(arrived, blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1u);
            while (((old ^ *(volatile unsigned*)arrived) & 0x80000000u) == 0) { }
            __threadfence();
        }
        __syncthreads();
        if (blockIdx.x == 5 && threadIdx.x == 0 && a[7] < round + 1) a[0] = -100;
        __syncthreads();
    }
}
"""
    source = source.replace("a[blockIdx.x] = ", "if (threadIdx.x == 0) a[blockIdx.x] = ")
    arguments: dict[str, Argument] = {
        "arrived": InOut(np.zeros(1, np.uint32)),
        "a": InOut(np.zeros(50, np.int32)),
        "n": 0,
    }
    ran = run_cuda(source, 50, 96, arguments, options=dataclasses.replace(options, schedule_seed=4))
    assert ran["a"].tolist() == [4] * 50


def test_the_last_block_done_finishes_the_sum() -> None:
    source = """
extern "C" __global__ void k(const float* x, float* parts, int* done, float* out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = x[blockIdx.x];
        __threadfence();
        last = atomicAdd(done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float sum = 0;
        for (int i = 0; i < gridDim.x; ++i) sum += ((volatile float*)parts)[i];
        *out = sum;
    }
}
"""
    x = np.arange(20, dtype=np.float32)
    arguments: dict[str, Argument] = {"x": x, "parts": InOut(x * 0), "done": InOut(ZEROS), "out": Out((1,))}
    for seed in (0, 1, 2):
        ran = run_cuda(source, 20, 64, arguments, options=RunOptions(schedule_seed=seed))
        assert ran["out"][0] == x.sum()
        assert ran.found(DiagnosticKind.GLOBAL_RACE) == []


def test_waiting_for_more_blocks_than_fit_is_a_deadlock() -> None:
    flags = np.zeros(5, np.int32)
    ran = run_cuda(
        BACKWARD, 5, 64, {"flags": InOut(flags), "sum": InOut(flags)}, device=SMALL_DEVICE, options=UNWATCHED
    )
    message = assert_timed_out(ran, DiagnosticKind.ENDLESS_WAIT, line_of(BACKWARD, "while"))
    assert f"block (0,0,0) waits at line {line_of(BACKWARD, 'while')}" in message
    assert "4 of 5 blocks were resident" in message
    assert "launch at most 4" in message
    four = run_cuda(
        BACKWARD, 4, 64, {"flags": InOut(flags[:4]), "sum": InOut(flags[:4])}, device=SMALL_DEVICE
    )
    assert four["sum"].tolist() == [4, 3, 2, 1]


@BOTH
def test_a_deadlock_between_blocks_is_reported_at_once(options: RunOptions) -> None:
    source = """
extern "C" __global__ void k(int* flags) {
    while (((volatile int*)flags)[1 - blockIdx.x] == 0) { } // here
    flags[blockIdx.x] = 1;
}
"""
    started = time.process_time()
    ran = run_cuda(source, 2, 64, {"flags": InOut(ZEROS)}, options=options)
    assert time.process_time() - started < 5
    message = assert_timed_out(ran, DiagnosticKind.ENDLESS_WAIT, line_of(source, "// here"))
    assert "2 of 2 blocks were resident and all waited, 0 had ended" in message


@BOTH
def test_a_lock_that_is_never_released_ends_at_its_line(options: RunOptions) -> None:
    source = LOCK.replace("atomicExch(lock, 0);", "")
    ran = run_cuda(source, 3, 32, {"lock": InOut(ZEROS), "sum": InOut(ZEROS)}, options=options)
    message = assert_timed_out(ran, DiagnosticKind.ENDLESS_WAIT, line_of(source, "atomicCAS"))
    assert "every lock" in message


@BOTH
def test_an_unset_flag_in_shared_memory_is_an_endless_loop(
    options: RunOptions,
) -> None:
    source = """
extern "C" __global__ void k(int* out) {
    __shared__ volatile int flag;
    flag = 0;
    __syncthreads();
    while (flag == 0) { } // here
    out[0] = 1;
}
"""
    ran = run_cuda(source, 2, 64, {"out": InOut(ZEROS)}, options=options)
    message = assert_timed_out(ran, DiagnosticKind.ENDLESS_LOOP, line_of(source, "// here"))
    assert "no other thread will ever write" in message


@BOTH
def test_a_loop_in_which_nothing_changes_is_found_at_once(options: RunOptions) -> None:
    source = """
extern "C" __global__ void k(volatile int* out, int n) {
    if (threadIdx.x == 40) while (n > 0) { out[0] = 7; } // here
}
"""
    ran = run_cuda(source, 1, 64, {"out": InOut(ZEROS), "n": 1}, options=options)
    message = assert_timed_out(ran, DiagnosticKind.ENDLESS_LOOP, line_of(source, "// here"))
    assert "thread (40,0,0) of block (0,0,0) repeats the loop" in message
    assert ran.result.counters == () or ran.counters.warp_instructions < 500_000


def test_a_loop_that_repeats_its_registers_is_not_endless() -> None:
    source = """
extern "C" __global__ void k(volatile int* out) {
    for (int i = 0; i < 200000; ++i) { out[0] = i & 1; }
    out[1] = 1;
}
"""
    ran = run_cuda(source, 1, 1, {"out": InOut(ZEROS)}, options=UNWATCHED)
    assert ran["out"].tolist()[1] == 1


def test_barriers_in_a_loop_are_no_livelock() -> None:
    source = """
extern "C" __global__ void k(volatile int* out) {
    __shared__ volatile int done;
    if (threadIdx.x == 0) done = 0;
    int rounds = 0;
    __syncthreads();
    while (!done) {
        for (volatile int i = 0; i < 3; ++i) { }
        __syncthreads();
        if (threadIdx.x == 0 && ++rounds == 20000) done = 1;
        __syncthreads();
    }
    if (threadIdx.x == 0) out[0] = rounds;
}
"""
    ran = run_cuda(source, 1, 64, {"out": InOut(ZEROS)}, options=UNWATCHED)
    assert ran["out"][0] == 20000


@BOTH
def test_lanes_with_a_lock_are_not_starved_by_spinning_lanes(options: RunOptions) -> None:
    source = """
extern "C" __global__ void k(int* lock, int* sum) {
    while (atomicCAS(lock, 0, 1) != 0) { }
    __threadfence();
    *(volatile int*)sum += 1;
    __threadfence();
    atomicExch(lock, 0);
}
"""
    ran = run_cuda(source, 4, 64, {"lock": InOut(ZEROS), "sum": InOut(ZEROS)}, options=options)
    assert ran["sum"][0] == 256


def test_a_device_holds_as_many_blocks_as_its_multiprocessors_do() -> None:
    shape = LaunchShape(grid=Dim3(x=1000), block=Dim3(x=256), shared_bytes=0)
    assert face_of(TESLA_T4, shape, registers=32, shared_bytes=0).resident_blocks == 4 * TESLA_T4.sm_count
    assert face_of(TESLA_T4, shape, registers=32, shared_bytes=40 << 10).resident_blocks == TESLA_T4.sm_count


MEASURE = """
import resource
import numpy as np
from grader.engines.emulator.warm_up import warm_up
from grader.model.run import RunOptions
from tools.paths import CHECKOUT
from tools.emulator.compiling import InOut, Out, run_cuda
from tests.engines.emulator.waiting_blocks import CROWD

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10

warm_up()
arguments = {"flags": InOut(np.zeros(300, np.int32)), "order": np.arange(32, dtype=np.int32), "large": Out((8 << 20,))}
run_cuda(CROWD, 1, 32, arguments, options=RunOptions(diagnostics=False))
before = peak()
run_cuda(CROWD, 300, 32, arguments, options=RunOptions())
print(peak() - before)
"""


def test_resident_blocks_take_three_times_the_buffers_and_a_base() -> None:
    command = [sys.executable, "-c", MEASURE]
    measured = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    assert int(measured.stdout) <= 3 * 32 + 300


def test_running_out_of_resident_memory_is_not_gradable() -> None:
    blocks = MAX_RESIDENT_BYTES // (32 * 4 * 16384) + 2
    arguments: dict[str, Argument] = {
        "flags": InOut(np.zeros(blocks, np.int32)),
        "order": np.arange(32, dtype=np.int32),
        "large": InOut(ZEROS),
    }
    ran = run_cuda(CROWD, blocks, 32, arguments, options=UNWATCHED)
    assert ran.fault is not None
    assert ran.fault.verdict is Verdict.NOT_GRADABLE
    assert "no memory for more" in english(ran.fault.reason)
    assert ran.lines(DiagnosticKind.ENDLESS_WAIT) == {line_of(CROWD, "// here")}
