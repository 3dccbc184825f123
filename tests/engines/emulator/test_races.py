"""A race finding names both lines and what is between them; ordered accesses give no finding."""

import numpy as np
import pytest

from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from tools.emulator.compiling import InOut, Out, Ran, line_of, run_cuda
from tools.messages import english

X = np.arange(256, dtype=np.float32)
RACES = (DiagnosticKind.SHARED_RACE, DiagnosticKind.GLOBAL_RACE)


def kernel(body: str, parameters: str = "const float* x, float* out") -> str:
    return f'extern "C" __global__ void k({parameters}) {{\n    int t = threadIdx.x;\n{body}\n}}\n'


def only_race(ran: Ran) -> Diagnostic:
    (race,) = [found for found in ran.found(*RACES) if found.severity is Severity.ERROR]
    return race


def run(body: str, threads: int = 128, blocks: int = 1) -> tuple[Diagnostic, str]:
    """The one race of ``body``, and its source."""
    source = kernel(body)
    return only_race(run_cuda(source, blocks, threads, {"x": X, "out": Out((256,))})), source


SHARED = "    __shared__ float s[256];\n"


def test_no_barrier_at_all_is_said_with_both_lines() -> None:
    race, source = run(SHARED + "    s[t] = x[t]; // write\n    out[t] = s[127 - t]; // read")
    write, read = line_of(source, "// write"), line_of(source, "// read")
    assert f"no barrier between line {write} and line {read}" in english(race.message)
    assert "thread (64,0,0) of block (0,0,0) reads" in english(race.message)
    assert "thread (63,0,0) writes" in english(race.message)
    assert english(race.advice) == "put __syncthreads() between the two lines"
    assert race.threads > 1
    assert race.kernel == "k"


def test_a_missing_second_barrier_is_a_race_with_the_next_round() -> None:
    race, source = run(
        SHARED
        + "    float sum = 0;\n    for (int i = 0; i < 2; i++) {\n        s[t] = x[128 * i + t]; // write\n"
        "        __syncthreads(); // barrier\n        for (int j = 0; j < 128; j++) sum += s[j]; // read\n    }\n"
        "    out[t] = sum;"
    )
    assert f"the barrier at line {line_of(source, '// barrier')} comes before both" in english(race.message)
    assert (
        english(race.advice)
        == f"put another __syncthreads() after line {line_of(source, '// read')}, at the end of the loop"
    )


def test_a_warp_barrier_is_said_to_order_only_one_warp() -> None:
    race, source = run(SHARED + "    s[t] = x[t];\n    __syncwarp(); // sync\n    out[t] = s[127 - t];")
    assert f"the warp barrier at line {line_of(source, '// sync')} orders the lanes of one warp" in english(
        race.message
    )


def test_a_fence_waits_for_no_thread() -> None:
    race, source = run(
        SHARED + "    s[t] = x[t];\n    __threadfence_block(); // fence\n    out[t] = s[127 - t];"
    )
    assert f"the fence at line {line_of(source, '// fence')} waits for no other thread" in english(
        race.message
    )


def test_a_barrier_of_other_warps_is_said_to_be_theirs() -> None:
    race, source = run(
        SHARED + "    s[t] = x[t];\n"
        '    if (t < 64) asm volatile("bar.sync 1, 64;" ::: "memory"); // first\n'
        '    else asm volatile("bar.sync 2, 64;" ::: "memory"); // second\n'
        "    out[t] = s[127 - t];"
    )
    lines = {line_of(source, "// first"): "warps 0-1", line_of(source, "// second"): "warps 2-3"}
    assert any(
        f"the barrier at line {line} is only for {warps}" in english(race.message)
        for line, warps in lines.items()
    )


def test_a_barrier_that_only_some_warps_take_orders_those() -> None:
    source = kernel(
        SHARED + "    s[t] = x[t];\n"
        '    if (t < 64) { asm volatile("bar.sync 1, 64;" ::: "memory"); out[t] = s[63 - t]; }\n'
        '    else { asm volatile("bar.sync 2, 64;" ::: "memory"); out[t] = s[191 - t]; }'
    )
    ran = run_cuda(source, 1, 128, {"x": X, "out": Out((256,))})
    assert ran.found(*RACES) == []


def test_an_arriving_producer_precedes_the_waiting_consumer() -> None:
    source = kernel(
        SHARED + '    if (t < 32) { s[t] = x[t]; asm volatile("bar.arrive 1, 64;" ::: "memory"); }\n'
        '    else { asm volatile("bar.sync 1, 64;" ::: "memory"); out[t] = s[63 - t]; }'
    )
    ran = run_cuda(source, 1, 64, {"x": X, "out": Out((256,))})
    assert ran.found(*RACES) == []


def test_what_a_producer_writes_after_it_arrived_is_not_ordered() -> None:
    race, source = run(
        SHARED + '    if (t < 32) { s[t] = 0; asm volatile("bar.arrive 1, 64;" ::: "memory");\n'
        "        s[t] = x[t]; } // late\n"
        '    else { asm volatile("bar.sync 1, 64;" ::: "memory");\n        out[t] = s[63 - t]; } // read',
        threads=64,
    )
    assert {race.line, race.related[0].line} == {line_of(source, "// late"), line_of(source, "// read")}


def test_order_passes_through_a_third_warp() -> None:
    source = kernel(
        SHARED + "    int w = t / 32;\n"
        '    if (w == 0) { s[t] = x[t]; asm volatile("bar.sync 1, 64;" ::: "memory"); }\n'
        '    if (w == 1) asm volatile("bar.sync 1, 64; bar.sync 2, 64;" ::: "memory");\n'
        '    if (w == 2) { asm volatile("bar.sync 2, 64;" ::: "memory"); out[t] = s[t - 64]; }'
    )
    assert run_cuda(source, 1, 96, {"x": X, "out": Out((256,))}).found(*RACES) == []


def test_a_race_between_blocks_says_that_no_barrier_helps() -> None:
    race, _ = run("    out[t] = x[t] + blockIdx.x;\n    __syncthreads();", blocks=2)
    assert "nothing orders the two blocks" in english(race.message)
    assert english(race.advice).startswith("blocks of an ordinary launch cannot wait for each other")


def test_two_values_from_one_store_to_one_address_race() -> None:
    race, _ = run("    out[t / 2] = x[t];", threads=32)
    assert "one instruction writes different values" in english(race.message)
    assert "atomic" in english(race.advice)


@pytest.mark.parametrize("space", ["__shared__ volatile int flag;", "int& flag = *(int*)out;"])
def test_warps_that_write_the_same_value_get_a_note(space: str) -> None:
    source = kernel(f"    {space}\n    flag = 1; // here\n    __syncthreads();\n    out[1 + t] = flag;")
    ran = run_cuda(source, 1, 64, {"x": X, "out": Out((256,))})
    (note,) = ran.found(*RACES)
    assert (note.severity, note.line) == (Severity.NOTE, line_of(source, "// here"))
    assert "harmless as long as" in english(note.message)


def test_a_plain_access_races_with_an_atomic() -> None:
    source = kernel(
        "    if (t < 32) atomicAdd(&out[t], 1.0f); // atomic\n    else out[t - 32] = x[t]; // plain",
        "const float* x, float* out",
    )
    ran = run_cuda(source, 1, 64, {"x": X, "out": InOut(np.zeros(64, np.float32))})
    race = only_race(ran)
    assert {race.line, race.related[0].line} == {line_of(source, "// atomic"), line_of(source, "// plain")}


def test_a_last_block_reduction_raises_no_alarm() -> None:
    source = (
        "__device__ unsigned int done = 0;\n"
        'extern "C" __global__ void k(const float* x, float* part, float* out) {\n'
        "    __shared__ bool last;\n    int t = threadIdx.x;\n"
        "    if (t == 0) {\n        part[blockIdx.x] = x[blockIdx.x];\n        __threadfence();\n"
        "        last = atomicInc(&done, gridDim.x) == gridDim.x - 1;\n    }\n    __syncthreads();\n"
        "    if (last && t == 0) {\n        float sum = 0;\n"
        "        for (int i = 0; i < gridDim.x; i++) sum += ((volatile float*)part)[i];\n"
        "        out[0] = sum;\n    }\n}\n"
    )
    ran = run_cuda(source, 8, 64, {"x": X, "part": Out((8,)), "out": Out((1,))})
    assert ran.found(*RACES) == []
    assert ran["out"][0] == 28


def test_unrolled_copies_of_a_line_are_one_finding() -> None:
    race, source = run(
        SHARED + "    s[t] = x[t];\n    float sum = 0;\n    #pragma unroll\n"
        "    for (int j = 0; j < 8; j++) sum += s[(t + 16 * j) % 128]; // read\n    out[t] = sum;"
    )
    assert race.line == line_of(source, "// read")
    assert race.threads <= 128 < race.count
