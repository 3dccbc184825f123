"""A race finding names both lines and what is between them; ordered accesses give no finding."""

import numpy as np
import pytest

from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.reason import Reason, reason
from tools.emulator.compiling import InOut, Out, Ran, line_of, run_cuda
from tools.messages import codes, params

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


def line(number: int) -> Reason:
    return reason("location-line", line=number)


def conflict(code: str, here: int, does: str, there: int, other_does: str) -> Reason:
    return reason(
        code, line=line(here), does=reason(does), other_line=line(there), other_does=reason(other_does)
    )


SHARED = "    __shared__ float s[256];\n"


def test_no_barrier_at_all_is_said_with_both_lines() -> None:
    race, source = run(SHARED + "    s[t] = x[t]; // write\n    out[t] = s[127 - t]; // read")
    write, read = line_of(source, "// write"), line_of(source, "// read")
    assert race.message == reason(
        "data-race",
        subject=reason("shared-array", name="s"),
        conflict=conflict("conflict-of-lines", read, "reads", write, "writes"),
        cause=reason("missing-barrier"),
        thread=reason("thread-of-block", thread="(64,0,0)", block="(0,0,0)"),
        other=reason("thread", thread="(63,0,0)"),
    )
    assert race.advice == reason(
        "add-barrier", barrier="__syncthreads()", line=line(write), other_line=line(read)
    )
    assert race.threads > 1
    assert race.kernel == "k"


def test_a_missing_second_barrier_is_a_race_with_the_next_round() -> None:
    race, source = run(
        SHARED
        + "    float sum = 0;\n    for (int i = 0; i < 2; i++) {\n        s[t] = x[128 * i + t]; // write\n"
        "        __syncthreads(); // barrier\n        for (int j = 0; j < 128; j++) sum += s[j]; // read\n    }\n"
        "    out[t] = sum;"
    )
    read, write = line_of(source, "// read"), line_of(source, "// write")
    assert race.message.params["conflict"] == conflict(
        "conflict-with-next-iteration", read, "reads", write, "writes"
    )
    assert race.message.params["cause"] == reason(
        "barrier-before-both", barrier=line(line_of(source, "// barrier"))
    )
    assert race.advice == reason("add-barrier-in-loop", barrier="__syncthreads()", line=line(read))


def test_a_function_above_its_kernel_is_no_earlier_iteration() -> None:
    source = (
        "__device__ __forceinline__ void fill(float* s, float v) { s[threadIdx.x] = v; } // write\n"
        + kernel(
            SHARED
            + "    s[t] = 0;\n    __syncthreads();\n    fill(s, x[t]);\n    out[t] = s[127 - t]; // read"
        )
    )
    race = only_race(run_cuda(source, 1, 128, {"x": X, "out": Out((256,))}))
    assert race.message.params["cause"] == reason("missing-barrier")
    assert race.advice == reason(
        "add-barrier",
        barrier="__syncthreads()",
        line=line(line_of(source, "// write")),
        other_line=line(line_of(source, "// read")),
    )


def test_a_line_that_some_threads_skip_gets_no_barrier_inside() -> None:
    race, source = run(
        SHARED + "    s[t] = x[t];\n    if (t < 64) {\n        out[t] = s[127 - t]; // read\n    }"
    )
    said = params(race.advice, "barrier-outside-branch")
    assert said["line"] == line(line_of(source, "// read"))
    assert "add-barrier" in codes(race.advice)


def test_a_line_that_reads_and_writes_is_split() -> None:
    race, source = run(
        SHARED + "    s[t] = x[t];\n    __syncthreads();\n    s[t] += s[127 - t]; // here\n    out[t] = s[t];"
    )
    assert race.message.params["conflict"] == reason(
        "conflict-in-line",
        line=line(line_of(source, "// here")),
        does=reason("reads"),
        other_does=reason("writes"),
    )
    assert race.advice == reason("split-line", barrier="__syncthreads()")


def test_a_warp_barrier_is_said_to_order_only_one_warp() -> None:
    race, source = run(SHARED + "    s[t] = x[t];\n    __syncwarp(); // sync\n    out[t] = s[127 - t];")
    assert race.message.params["cause"] == reason(
        "warp-barrier-only", barrier=line(line_of(source, "// sync"))
    )


def test_a_fence_waits_for_no_thread() -> None:
    race, source = run(
        SHARED + "    s[t] = x[t];\n    __threadfence_block(); // fence\n    out[t] = s[127 - t];"
    )
    assert race.message.params["cause"] == reason("fence-only", fence=line(line_of(source, "// fence")))


def test_a_barrier_of_other_warps_is_said_to_be_theirs() -> None:
    race, source = run(
        SHARED + "    s[t] = x[t];\n"
        '    if (t < 64) asm volatile("bar.sync 1, 64;" ::: "memory"); // first\n'
        '    else asm volatile("bar.sync 2, 64;" ::: "memory"); // second\n'
        "    out[t] = s[127 - t];"
    )
    assert race.message.params["cause"] in [
        reason(
            "barrier-of-other-warps",
            barrier=line(line_of(source, mark)),
            warps=reason("warps", count=2, warps=warps),
        )
        for mark, warps in (("// first", "0-1"), ("// second", "2-3"))
    ]


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
    assert race.message.params["cause"] == reason("unordered-blocks")
    assert race.advice == reason("own-elements-of-block")


def test_two_values_from_one_store_to_one_address_race() -> None:
    race, _ = run("    out[t / 2] = x[t];", threads=32)
    assert race.message.params["cause"] == reason("unordered-lanes")
    assert race.advice == reason("one-writer-or-atomic")


@pytest.mark.parametrize("space", ["__shared__ volatile int flag;", "int& flag = *(int*)out;"])
def test_warps_that_write_the_same_value_get_a_note(space: str) -> None:
    source = kernel(f"    {space}\n    flag = 1; // here\n    __syncthreads();\n    out[1 + t] = flag;")
    ran = run_cuda(source, 1, 64, {"x": X, "out": Out((256,))})
    (note,) = ran.found(*RACES)
    assert (note.severity, note.line) == (Severity.NOTE, line_of(source, "// here"))
    assert note.message.code == "same-value-writes"


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
