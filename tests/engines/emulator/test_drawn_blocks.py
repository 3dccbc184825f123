"""Some blocks of a launch at its full size: what they count, what they need, and what they cannot do."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.engines.arena_layout import ALIGNMENT, GUARD_BYTES, lay_out
from grader.engines.emulator.engine import EmulatorEngine
from grader.engines.emulator.sampled_memory import SampledMemory
from grader.grading.block_samples import pieces_for
from grader.model.block_sample import BlockSample, SampledJob, SampledRun
from grader.model.devices import TESLA_T4
from grader.model.diagnostic import DiagnosticKind
from grader.model.plan import Buffer, Dim3
from grader.model.run import LaunchJob, RunOptions
from grader.model.verdict import Verdict
from tools.emulator.compiling import Argument, InOut, Out, job_of, ptx_of

SAMPLE = BlockSample(seed=5, blocks=4, steps=1_000_000)

COPY = """
extern "C" __global__ void copy(const float* a, float* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[i];
}
"""
GATHER = """
extern "C" __global__ void gather(const int* from, const float* a, float* b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (a[from[i]] == 1.0f) b[i] = 1.0f;
}
"""
WAITING = """
extern "C" __global__ void wait(volatile int* flags, float* b) {
    while (blockIdx.x + 1 < gridDim.x && flags[blockIdx.x + 1] == 0) { }
    flags[blockIdx.x] = 1;
    b[blockIdx.x] = 1;
}
"""
RACE = """
extern "C" __global__ void race(float* b) {
    b[blockIdx.x * 64 + (threadIdx.x + 1) % 64] = threadIdx.x;
    if (b[blockIdx.x * 64 + threadIdx.x] == 1000.0f) b[0] = 1;
}
"""
FAR = """
extern "C" __global__ void far(const float* a, float* b) {
    unsigned long long apart = (unsigned long long)b - (unsigned long long)a;
    unsigned long long base = (unsigned long long)a;
    if (apart < (1ull << 33) && base >> 40 == 0x7f) b[blockIdx.x * 32 + threadIdx.x] = 1;
}
"""


def engine() -> EmulatorEngine:
    return EmulatorEngine(TESLA_T4)


def full_run(job: LaunchJob, sample: BlockSample = SAMPLE) -> SampledRun:
    """Run drawn blocks again until no input is missing."""
    sampled = SampledJob(module=job.module, plan=job.plan, sample=sample)
    while (run := engine().run_blocks(sampled, RunOptions())).missing:
        sampled = replace(sampled, pieces=pieces_for(job, sampled.pieces, run.missing))
    return run


def copying(elements: int, a: NDArray[np.float32] | None = None) -> LaunchJob:
    array = np.ones(elements, np.float32) if a is None else a
    arguments: dict[str, Argument] = {"a": array, "b": Out((elements,)), "n": elements}
    return job_of(ptx_of(COPY), "copy", -(-elements // 256), 256, arguments)


def test_counters_are_those_of_the_drawn_blocks() -> None:
    (counters,) = full_run(copying(1 << 16)).result.counters
    assert counters.blocks == SAMPLE.blocks
    assert counters.global_requests == SAMPLE.blocks * 8 * 2
    assert counters.global_sectors == 4 * counters.global_requests


def test_only_the_inputs_of_the_drawn_blocks_are_asked_for() -> None:
    job = copying(1 << 22)
    sampled = SampledJob(module=job.module, plan=job.plan, sample=SAMPLE)
    missing = engine().run_blocks(sampled, RunOptions()).missing
    assert {each.buffer for each in missing} == {"a", "b"}
    for name in "ab":
        touched = sum(each.stop - each.start for each in missing if each.buffer == name)
        assert SAMPLE.blocks * 1024 <= touched < 1 << 17


def test_addresses_that_depend_on_inputs_are_followed() -> None:
    count = 1 << 14
    a = np.zeros(count, np.float32)
    a[-32:] = 1
    arguments: dict[str, Argument] = {"from": np.full(count, count - 1, np.int32), "a": a, "b": Out((count,))}
    (counters,) = full_run(job_of(ptx_of(GATHER), "gather", count // 64, 64, arguments)).result.counters
    assert counters.global_requests == SAMPLE.blocks * 2 * 3, "a value that never arrived was compared"


def test_another_seed_draws_other_blocks() -> None:
    job = copying(1 << 20)
    starts = [
        engine()
        .run_blocks(
            SampledJob(module=job.module, plan=job.plan, sample=replace(SAMPLE, seed=seed)), RunOptions()
        )
        .missing
        for seed in (1, 2, 1)
    ]
    assert starts[0] == starts[2] != starts[1]


def test_steps_bound_the_number_of_blocks() -> None:
    (counters,) = full_run(copying(1 << 16), replace(SAMPLE, steps=1)).result.counters
    assert counters.blocks == 1


def test_idle_blocks_do_not_count() -> None:
    few = COPY.replace("if (i < n)", "if (blockIdx.x % 16 == 3 && i < n)")
    arguments: dict[str, Argument] = {"a": np.ones(1 << 18, np.float32), "b": Out((1 << 18,)), "n": 1 << 18}
    (counters,) = full_run(job_of(ptx_of(few), "copy", 1 << 10, 256, arguments)).result.counters
    assert counters.global_requests == SAMPLE.blocks * 8 * 2
    assert counters.blocks > 2 * SAMPLE.blocks


def test_outputs_are_poisoned_as_in_every_run() -> None:
    asking = COPY.replace("b[i] = a[i]", "b[i] = b[i] == 0 ? a[i] + a[n - 1 - i] : a[i]")
    arguments: dict[str, Argument] = {"a": np.ones(1 << 16, np.float32), "b": Out((1 << 16,)), "n": 1 << 16}
    (counters,) = full_run(job_of(ptx_of(asking), "copy", 1 << 8, 256, arguments)).result.counters
    assert counters.global_requests == SAMPLE.blocks * 8 * 3, "the kernel found outputs that no GPU shows it"


def test_a_block_that_waits_for_another_is_a_fault() -> None:
    job = job_of(ptx_of(WAITING), "wait", 64, 1, {"flags": InOut(np.zeros(64, np.int32)), "b": Out((64,))})
    fault = full_run(job).result.fault
    assert fault is not None
    assert fault.verdict is Verdict.TIMED_OUT


def test_a_race_within_a_block_is_found() -> None:
    job = job_of(ptx_of(RACE), "race", 4096, 64, {"b": Out((4096 * 64,))})
    kinds = {found.kind for found in full_run(job).result.diagnostics}
    assert DiagnosticKind.GLOBAL_RACE in kinds


def test_buffers_lie_as_those_of_a_gpu_do() -> None:
    job = job_of(ptx_of(FAR), "far", 64, 32, {"a": np.zeros(2048, np.float32), "b": Out((2048,))})
    (counters,) = full_run(job).result.counters
    assert counters.global_requests == SAMPLE.blocks, "the kernel found out that no GPU runs it"


def test_a_stray_index_into_a_guard_zone_is_found() -> None:
    stray = COPY.replace("a[i]", "a[i + 16384]")
    job = job_of(
        ptx_of(stray),
        "copy",
        64,
        256,
        {"a": np.ones(1 << 14, np.float32), "b": Out((1 << 14,)), "n": 1 << 14},
    )
    fault = full_run(job).result.fault
    assert fault is not None
    assert fault.verdict is Verdict.CRASHED


@pytest.mark.parametrize("seed", range(4))
def test_the_base_is_drawn_and_the_gaps_are_those_of_an_arena(seed: int) -> None:
    plan = copying(1 << 12).plan
    memory = SampledMemory(plan, (), seed=seed, track=False)
    addresses = [memory.address(buffer.name) for buffer in plan.buffers]
    layout = lay_out(plan.buffers)
    assert [address - addresses[0] for address in addresses] == [
        layout.offset(buffer) - layout.offset(plan.buffers[0]) for buffer in plan.buffers
    ]
    assert addresses[0] >> 40 == 0x7F
    assert addresses[0] % ALIGNMENT == 0
    assert addresses[1] - addresses[0] >= plan.buffers[0].nbytes + GUARD_BYTES


def test_two_gigabytes_cost_little() -> None:
    job = copying(64)
    n = 1 << 28
    buffers: tuple[Buffer, ...] = tuple(replace(buffer, shape=(n,)) for buffer in job.plan.buffers)
    (launch,) = job.plan.launches
    shape = replace(launch.shape, grid=Dim3(x=n // 256))
    launch = replace(launch, shape=shape, args=("a", "b", n))
    plan = replace(job.plan, buffers=buffers, launches=(launch,))
    run = engine().run_blocks(SampledJob(module=job.module, plan=plan, sample=SAMPLE), RunOptions())
    assert run.result.fault is None
    assert run.result.counters[0].blocks == SAMPLE.blocks
