"""Every error is found at its line, and correct code has no findings."""

import numpy as np
import pytest

from grader.engines.emulator.core.codes import DECISIVE, EventKind
from grader.engines.emulator.core.records import EVENT_ROOM, MAX_EVENTS
from grader.engines.emulator.findings.event_diagnostics import WORDINGS
from grader.engines.emulator.findings.launch_failures import MEMORY_ERRORS
from grader.model.diagnostic import DiagnosticKind, Severity
from grader.model.location import SourceLocation
from grader.model.plan import Dim3
from grader.model.reason import Reason, reason
from grader.model.run import RunOptions
from grader.model.verdict import Verdict
from tools.emulator.compiling import InOut, Out, Scratch, line_of, run_cuda
from tools.messages import codes, english, params

QUICK = RunOptions(max_steps=300_000, timeout=300)
X = np.arange(256, dtype=np.float32)


def kernel(body: str, parameters: str = "const float* x, float* out") -> str:
    return f'extern "C" __global__ void k({parameters}) {{\n    int t = threadIdx.x;\n{body}\n}}\n'


def elements(count: int) -> Reason:
    """Elements of four bytes."""
    return reason("elements", count=count, bytes=reason("bytes", count=4 * count))


class TestOutOfBounds:
    """Out-of-bounds, null and misaligned accesses."""

    def test_a_write_past_the_end_names_buffer_thread_and_line(self) -> None:
        source = kernel("    int i = blockIdx.x * blockDim.x + t;\n    out[i] = x[t]; // here")
        ran = run_cuda(source, 4, 64, {"x": X, "out": Out((200,))})
        assert ran.fault is not None
        assert ran.fault.verdict is Verdict.CRASHED
        assert params(ran.fault.reason, "out-of-bounds-write")["subject"] == reason("buffer", name="out")
        assert params(ran.fault.reason, "past-end-up-to") == {
            "distance": elements(1),
            "furthest": elements(56),
        }
        assert params(ran.fault.reason, "several-threads") == {
            "count": 56,
            "first": reason("thread-of-block", thread="(8,0,0)", block="(3,0,0)"),
        }
        assert (ran.fault.reason.code, ran.fault.reason.params["count"]) == ("fault-at-repeated", 56)
        assert ran.fault.reason.location == SourceLocation(file="kernel.cu", line=line_of(source, "// here"))
        assert ran.result.outputs == {}
        (found,) = ran.found(DiagnosticKind.OUT_OF_BOUNDS)
        assert (found.kernel, found.threads, found.count) == ("k", 56, 56)
        assert found.advice == reason(
            "guard-index", subject=reason("buffer", name="out"), elements=elements(200)
        )

    def test_a_read_before_the_start_is_found(self) -> None:
        source = kernel("    out[t] = x[t - 1]; // here")
        ran = run_cuda(source, 1, 256, {"x": X, "out": Out((256,))})
        (found,) = ran.found(DiagnosticKind.OUT_OF_BOUNDS)
        assert params(found.message, "out-of-bounds-read")["subject"] == reason("buffer", name="x")
        assert params(found.message, "before-start") == {"distance": elements(1)}
        assert found.advice == reason("guard-negative-index")
        assert (found.line, found.count, found.severity) == (line_of(source, "// here"), 1, Severity.ERROR)

    def test_it_is_found_without_diagnostics_too(self) -> None:
        source = kernel("    out[t * 2] = x[t];")
        ran = run_cuda(source, 1, 256, {"x": X, "out": Out((256,))}, options=RunOptions(diagnostics=False))
        assert ran.fault is not None
        assert "buffer out" in english(ran.fault.reason)

    def test_running_off_a_shared_array_is_found(self) -> None:
        source = kernel(
            "    __shared__ float first[64], second[64];\n"
            "    second[t % 64] = 0; __syncthreads();\n"
            "    first[t] = x[t]; // here\n"
            "    __syncthreads();\n    out[t] = first[63 - t % 64] + second[t % 64];"
        )
        ran = run_cuda(source, 1, 65, {"x": X, "out": Out((256,))})
        (found,) = ran.found(DiagnosticKind.OUT_OF_BOUNDS)
        said = params(found.message, "out-of-bounds-write")
        assert said["subject"] == reason("shared-array", name="first")
        assert said["distance"] == reason("past-end", distance=elements(1))
        assert said["threads"] == reason("thread-of-block", thread="(64,0,0)", block="(0,0,0)")
        assert found.line == line_of(source, "// here")

    def test_too_little_dynamic_shared_memory_is_found(self) -> None:
        source = kernel("    extern __shared__ float s[];\n    s[t] = x[t]; // here\n    out[t] = s[t];")
        ran = run_cuda(source, 1, 64, {"x": X, "out": Out((64,))}, shared=128)
        assert ran.lines(DiagnosticKind.OUT_OF_BOUNDS) >= {line_of(source, "// here")}

    def test_a_launch_without_dynamic_shared_memory_is_the_cause(self) -> None:
        source = kernel("    extern __shared__ float s[];\n    s[t] = x[t];\n    out[t] = s[t];")
        ran = run_cuda(source, 1, 64, {"x": X, "out": Out((64,))})
        found = ran.found(DiagnosticKind.OUT_OF_BOUNDS)
        assert {each.advice for each in found} == {reason("pass-dynamic-shared-memory")}
        for each in found:
            said = params(each.message, "no-dynamic-shared-memory")
            assert said["subject"] == reason("shared-array", name="s")

    def test_a_null_pointer_is_named(self) -> None:
        source = kernel("    float* p = (float*)(long long)n;\n    p[t] = 1; // here", "int n")
        ran = run_cuda(source, 1, 32, {"n": 0})
        assert ran.fault is not None
        assert "null-write" in codes(ran.fault.reason)
        assert ran.lines(DiagnosticKind.NULL_ACCESS) == {line_of(source, "// here")}

    def test_a_misaligned_access_is_named(self) -> None:
        source = kernel("    *(double*)(out + t) = x[t]; // here")
        ran = run_cuda(source, 1, 32, {"x": X, "out": Out((64,))})
        assert ran.lines(DiagnosticKind.MISALIGNED) == {line_of(source, "// here")}
        assert params(ran.found(DiagnosticKind.MISALIGNED)[0].message, "misaligned-access")["size"] == 8

    def test_a_wild_pointer_hits_no_buffer(self) -> None:
        source = kernel("    *(float*)(0x123456789abc0ll + 4 * t) = n;", "int n")
        ran = run_cuda(source, 1, 32, {"n": 1})
        assert ran.fault is not None
        assert "wild-write" in codes(ran.fault.reason)

    def test_an_endless_loop_over_bad_reads_still_ends(self) -> None:
        source = kernel("    int i = t;\n    while (x[i + 1000] != 3.0f) i++; // here\n    out[t] = i;")
        ran = run_cuda(source, 1, 32, {"x": X, "out": Out((32,))}, options=QUICK)
        assert ran.fault is not None
        assert ran.lines(DiagnosticKind.OUT_OF_BOUNDS) == {line_of(source, "// here")}


class TestRaces:
    """Conflicting accesses that nothing orders."""

    def test_a_missing_barrier_is_an_error_with_both_lines(self) -> None:
        source = kernel(
            "    __shared__ float s[256];\n    s[t] = x[t]; // write\n    out[t] = s[255 - t]; // read"
        )
        ran = run_cuda(source, 1, 256, {"x": X, "out": Out((256,))})
        (race,) = ran.found(DiagnosticKind.SHARED_RACE)
        assert race.severity is Severity.ERROR
        assert race.line == line_of(source, "// read")
        assert race.related == (SourceLocation(file="kernel.cu", line=line_of(source, "// write")),)
        assert race.message.params["subject"] == reason("shared-array", name="s")
        assert params(race.advice, "add-barrier")["barrier"] == "__syncthreads()"
        assert [other.line for other in race.related] == [line_of(source, "// write")]

    def test_the_second_barrier_of_a_tiled_loop_is_missed_too(self) -> None:
        source = kernel(
            "    __shared__ float s[64];\n    float sum = 0;\n"
            "    for (int i = 0; i < 4; i++) {\n"
            "        s[t] = x[64 * i + t]; // write\n        __syncthreads();\n"
            "        for (int j = 0; j < 64; j++) sum += s[j]; // read\n    }\n    out[t] = sum;"
        )
        ran = run_cuda(source, 1, 64, {"x": X, "out": Out((64,))})
        (race,) = ran.found(DiagnosticKind.SHARED_RACE)
        assert race.line == line_of(source, "// read")
        assert race.related == (SourceLocation(file="kernel.cu", line=line_of(source, "// write")),)
        assert race.severity is Severity.ERROR

    def test_blocks_that_write_the_same_element_race(self) -> None:
        source = kernel("    out[t] = x[t] + blockIdx.x; // here")
        ran = run_cuda(source, 2, 64, {"x": X, "out": Out((64,))})
        (race,) = ran.found(DiagnosticKind.GLOBAL_RACE)
        assert race.line == line_of(source, "// here")
        threads = [race.message.params[name] for name in ("thread", "other")]
        assert threads == [
            reason("thread-of-block", thread="(0,0,0)", block=block) for block in ("(1,0,0)", "(0,0,0)")
        ]

    def test_a_sum_without_atomics_races(self) -> None:
        source = kernel("    out[0] += x[t]; // here")
        ran = run_cuda(source, 1, 64, {"x": X, "out": InOut(np.zeros(1, np.float32))})
        assert line_of(source, "// here") in ran.lines(DiagnosticKind.GLOBAL_RACE)
        assert any(race.severity is Severity.ERROR for race in ran.found(DiagnosticKind.GLOBAL_RACE))

    def test_lanes_of_one_store_with_different_values_race(self) -> None:
        source = kernel("    out[t / 8] = x[t]; // here")
        ran = run_cuda(source, 1, 32, {"x": X, "out": Out((4,))})
        (race,) = ran.found(DiagnosticKind.GLOBAL_RACE)
        assert (race.line, race.severity) == (line_of(source, "// here"), Severity.ERROR)
        assert (race.threads, race.count) == (28, 28)

    def test_a_block_that_reads_what_another_block_writes_races(self) -> None:
        source = kernel(
            "    int i = blockIdx.x * 64 + t;\n    data[i] += data[(i + 64) % 128]; // here", "float* data"
        )
        ran = run_cuda(source, 2, 64, {"data": InOut(np.ones(128, np.float32))})
        assert ran.lines(DiagnosticKind.GLOBAL_RACE) == {line_of(source, "// here")}

    def test_the_tail_of_a_reduction_without_syncwarp_is_a_warning(self) -> None:
        source = kernel(
            "    __shared__ volatile float s[64];\n    s[t] = x[t]; s[t + 32] = x[t + 32];\n    __syncthreads();\n"
            "    if (t < 32) {\n"
            "        s[t] += s[t + 16];\n        s[t] += s[t + 8]; // tail\n        s[t] += s[t + 4];\n    }\n"
            "    if (t == 0) out[0] = s[0];"
        )
        ran = run_cuda(source, 1, 32, {"x": X, "out": Out((1,))})
        assert ran.found(DiagnosticKind.SHARED_RACE) == []
        (hazard,) = ran.found(DiagnosticKind.LANE_HAZARD)
        tail = line_of(source, "// tail")
        assert (hazard.severity, hazard.line) == (Severity.WARNING, tail - 1)
        assert [each.line for each in hazard.related] == [tail, tail + 1]
        assert hazard.advice == reason("add-warp-barriers", barrier="__syncwarp()")

    @pytest.mark.parametrize(
        "body",
        [
            "    __shared__ int flag;\n    flag = 1;\n    __syncthreads();\n    out[t] = flag;",
            (
                "    __shared__ int n;\n    if (t == 0) n = 0;\n    __syncthreads();\n    atomicAdd(&n, 1);\n"
                "    __syncthreads();\n    out[t] = n;"
            ),
            "    __shared__ char c[256];\n    c[t] = t;\n    __syncthreads();\n    out[t] = c[255 - t];",
            "    out[t] = x[t];\n    __syncthreads();\n    if (t < 128) out[t] += out[t + 128];",
        ],
        ids=["all write the same", "atomics", "neighbouring bytes", "global memory behind a barrier"],
    )
    def test_what_is_no_race_is_not_called_one(self, body: str) -> None:
        ran = run_cuda(kernel(body), 1, 256, {"x": X, "out": Out((256,))})
        assert ran.fault is None
        races = ran.found(DiagnosticKind.SHARED_RACE, DiagnosticKind.GLOBAL_RACE)
        assert [race for race in races if race.severity is not Severity.NOTE] == []

    def test_two_launches_do_not_race_with_each_other(self) -> None:
        source = kernel("    data[255 - t] = data[t] + 1;", "float* data")
        source = source.replace(
            "data[255 - t] = data[t] + 1", "float v = data[t]; __syncthreads(); data[255 - t] = v"
        )
        ran = run_cuda(source, 1, 256, {"data": InOut(X.copy())}, times=3)
        assert ran.found(DiagnosticKind.GLOBAL_RACE) == []
        assert np.array_equal(ran["data"], X[::-1])


class TestUninitialised:
    """Reads of uninitialised memory."""

    def test_shared_memory_read_before_it_is_written(self) -> None:
        source = kernel(
            "    __shared__ float s[64];\n    if (t < 60) s[t] = x[t];\n    __syncthreads();\n"
            "    out[t] = s[t]; // here"
        )
        ran = run_cuda(source, 1, 64, {"x": X, "out": Out((64,))})
        (found,) = ran.found(DiagnosticKind.UNINITIALISED)
        assert (found.line, found.count, found.severity) == (line_of(source, "// here"), 4, Severity.WARNING)
        assert params(found.message, "several-threads")["first"] == reason(
            "thread-of-block", thread="(60,0,0)", block="(0,0,0)"
        )

    @pytest.mark.parametrize(
        "use",
        [
            "if (v > 0) out[t] = x[t]; else out[t] = 1;",
            "out[t] = x[t & 31 & (int)v];",
            "out[t] = v > 0 ? x[t] : x[t + 1];",
            "out[t] = v + 1;",
            "out[t] = __any_sync(~0u, v > 0) ? x[t] : 0;",
            "out[t] = __shfl_xor_sync(~0u, v, 1);",
            "for (int i = 0; i < (int)v; ++i) x = x + 1;\n out[t] = x[0];",
            "other[t] = v;\n out[t] = other[t];",
            "float own[8];\n for (int i = 0; i < 8; ++i) own[i] = v;\n out[t] = own[t & n];",
            "if (t < 5 && v > 0) out[t] = 1;",
        ],
    )
    @pytest.mark.parametrize("read", ["s[t]", "atomicAdd(&s[t], 0.0f)", "atomicExch(&s[t], 0.0f)"])
    def test_the_first_line_that_depends_on_it_is_named(self, use: str, read: str) -> None:
        source = kernel(
            f"    __shared__ float s[64];\n    __shared__ volatile float other[64];\n"
            f"    const float v = {read}; // here\n    {use}\n",
            "const float* x, float* out, int n",
        )
        ran = run_cuda(source, 1, 64, {"x": X, "out": Out((64,)), "n": 7})
        (found,) = (each for each in ran.found(DiagnosticKind.UNINITIALISED) if each.related)
        lines = {line_of(source, "// here")} | {line_of(source, "// here") + 1 + n for n in range(3)}
        assert found.line == line_of(source, "// here")
        assert {each.line for each in found.related} <= lines

    @pytest.mark.parametrize(
        "body",
        [
            "s[t];\n out[t] = x[t];",
            "float v = s[t];\n out[t] = t < 1000 ? x[t] : v;",
            "float v = s[t];\n bool both = (v > 0) & (t > 1000);\n out[t] = both ? 0 : x[t];",
            "s[t] = x[t];\n __syncthreads();\n out[t] = s[63 - t];",
            "float v = s[t];\n v = x[t];\n out[t] = v > 0 ? v : 1;",
        ],
    )
    def test_what_depends_on_no_unwritten_value_names_no_line(self, body: str) -> None:
        source = kernel(f"    __shared__ volatile float s[64];\n    {body}\n")
        ran = run_cuda(source, 1, 64, {"x": X, "out": Out((64,))})
        assert [each for each in ran.found(DiagnosticKind.UNINITIALISED) if each.related] == []

    def test_an_array_of_the_thread_that_decides(self) -> None:
        source = kernel(
            "    float own[64];\n    if (n < 0) for (int i = 0; i < 64; ++i) own[i] = x[i];\n"
            "    float v = own[n & 63]; // here\n    out[t] = v > 0 ? x[t] : x[t + 1]; // used",
            "const float* x, float* out, int n",
        )
        (found,) = run_cuda(source, 1, 64, {"x": X, "out": Out((64,)), "n": 5}).found(
            DiagnosticKind.UNINITIALISED
        )
        assert (found.line, found.related[0].line) == (
            line_of(source, "// here"),
            line_of(source, "// used"),
        )

    def test_an_output_that_is_added_to(self) -> None:
        source = kernel("    out[t] += x[t]; // here")
        ran = run_cuda(source, 1, 64, {"x": X, "out": Out((64,))})
        assert ran.lines(DiagnosticKind.UNINITIALISED) == {line_of(source, "// here")}
        assert np.isnan(ran["out"]).all()

    def test_scratch_that_an_earlier_launch_wrote_is_initialised(self) -> None:
        source = kernel(
            "    if (n[0] == 0) tmp[t] = x[t]; else out[t] = tmp[t];\n    __syncthreads();\n    if (t == 0) n[0]++;",
            "const float* x, float* tmp, float* out, int* n",
        )
        ran = run_cuda(
            source,
            1,
            64,
            {"x": X, "tmp": Scratch((64,)), "out": Out((64,)), "n": InOut(np.zeros(1, np.int32))},
            times=2,
        )
        assert ran.found(DiagnosticKind.UNINITIALISED) == []
        assert np.array_equal(ran["out"], X[:64])

    def test_it_costs_nothing_to_leave_it_off(self) -> None:
        source = kernel("    out[t] += x[t];")
        ran = run_cuda(source, 1, 64, {"x": X, "out": Out((64,))}, options=RunOptions(diagnostics=False))
        assert ran.result.diagnostics == ()
        assert ran.result.counters == ()


class TestBarriers:
    """Barriers that not all threads reach."""

    def test_a_barrier_that_only_some_threads_reach_never_completes(self) -> None:
        source = kernel(
            "    __shared__ volatile int go;\n    go = 0;\n    __syncthreads();\n"
            "    if (t < 32) { __syncthreads(); out[t] = 1; } // one\n"
            '    else { asm volatile("bar.sync 1;"); out[t] = 2; } // two'
        )
        ran = run_cuda(source, 1, 64, {"x": X, "out": Out((64,))}, options=QUICK)
        assert ran.fault is not None
        assert ran.fault.verdict is Verdict.CRASHED
        assert ran.fault.reason.code == "barrier-deadlock"
        assert f"line {line_of(source, '// one')}" in english(ran.fault.reason)
        assert f"line {line_of(source, '// two')}" in english(ran.fault.reason)

    def test_lanes_of_a_warp_at_different_barriers_are_an_error(self) -> None:
        source = kernel(
            "    if (t % 2) { out[t] = x[t]; __syncthreads(); } // odd\n"
            "    else { out[t] = 2 * x[t]; __syncthreads(); } // even"
        )
        ran = run_cuda(source, 1, 32, {"x": X, "out": Out((32,))}, options=QUICK)
        (found,) = ran.found(DiagnosticKind.DIVERGENT_BARRIER)
        assert found.severity is Severity.ERROR
        assert f"line {line_of(source, '// odd')}" in english(found.message)
        assert f"line {line_of(source, '// even')}" in english(found.message)

    def test_returning_before_a_barrier_is_a_warning(self) -> None:
        source = kernel(
            "    if (t >= 50) return;\n    out[t] = x[t];\n    __syncthreads(); // here\n    out[t] += out[49 - t];"
        )
        ran = run_cuda(source, 1, 64, {"x": X, "out": Out((64,))})
        found = ran.found(DiagnosticKind.DIVERGENT_BARRIER)
        assert {(d.severity, d.line) for d in found} == {(Severity.WARNING, line_of(source, "// here"))}
        assert ran.fault is None

    def test_a_barrier_in_a_uniform_branch_is_fine(self) -> None:
        source = kernel(
            "    if (blockIdx.x == 0) { out[t] = x[t]; __syncthreads(); out[64 + t] = out[63 - t]; }"
        )
        ran = run_cuda(source, 2, 64, {"x": X, "out": Out((128,))})
        assert ran.found(DiagnosticKind.DIVERGENT_BARRIER) == []
        assert ran.fault is None

    def test_a_shuffle_that_names_absent_lanes_is_a_warning(self) -> None:
        source = kernel(
            "    if (t < 16) out[t] = __shfl_down_sync(0xffffffffu, x[t], 1); // here\n    else out[t] = 0;\n"
            "    __syncthreads();\n    out[t] += 1;"
        )
        ran = run_cuda(source, 1, 32, {"x": X, "out": Out((32,))})
        (found,) = ran.found(DiagnosticKind.INACTIVE_LANE)
        assert (found.severity, found.line) == (Severity.WARNING, line_of(source, "// here"))
        said = params(found.message, "absent-lanes")
        assert (said["mask"], said["lanes"]) == ("0xffffffff", reason("lanes", count=16, lanes="16-31"))


class TestEndings:
    """Runs that do not finish."""

    def test_an_endless_loop_ends_by_its_budget_at_its_line(self) -> None:
        source = kernel(
            "    volatile float* v = out;\n    out[t] = 1;\n    while (v[t] > 0) { v[t] += 2; } // here"
        )
        ran = run_cuda(source, 1, 32, {"x": X, "out": Out((32,))}, options=QUICK)
        assert ran.fault is not None
        assert ran.fault.verdict is Verdict.TIMED_OUT
        assert f"line {line_of(source, '// here')}" in english(ran.fault.reason)
        assert ran.lines(DiagnosticKind.ENDLESS_LOOP) == {line_of(source, "// here")}

    def test_an_endless_loop_ends_by_the_clock(self) -> None:
        source = kernel(
            "    volatile float* v = out;\n    out[t] = 1;\n    while (v[t] != 0) { v[t] = -v[t]; }"
        )
        ran = run_cuda(
            source, 1, 32, {"x": X, "out": Out((32,))}, options=RunOptions(max_steps=10**12, timeout=0.3)
        )
        assert ran.fault is not None
        assert ran.fault.verdict is Verdict.TIMED_OUT
        assert params(ran.fault.reason, "out-of-time")["seconds"] == 0.3

    def test_a_trap_says_where(self) -> None:
        source = kernel('    if (x[t] > 40) asm("trap;"); // here\n    out[t] = 0;')
        ran = run_cuda(source, 1, 64, {"x": X, "out": Out((64,))})
        assert ran.fault is not None
        assert ran.fault.verdict is Verdict.CRASHED
        assert ran.lines(DiagnosticKind.TRAP) == {line_of(source, "// here")}
        assert params(ran.fault.reason, "thread-of-block")["thread"] == "(41,0,0)"

    def test_recursion_without_end_overflows_the_stack(self) -> None:
        source = (
            "__device__ __noinline__ int deep(int n) { return n + (n > -5 ? deep(n + 1) * 3 : 0); }\n"
            + kernel("    out[t] = deep(t);")
        )
        ran = run_cuda(source, 1, 32, {"x": X, "out": Out((32,))}, options=RunOptions(timeout=5))
        assert ran.fault is not None
        assert ran.fault.reason.code == "stack-overflow"

    def test_an_unknown_instruction_is_named_with_its_line(self) -> None:
        source = kernel(
            '    int v;\n    asm("vadd.s32.s32.s32 %0, %1, %1;" : "=r"(v) : "r"(t)); // here\n    out[t] = v;'
        )
        ran = run_cuda(source, 1, 32, {"x": X, "out": Out((32,))})
        assert ran.fault is not None
        assert ran.fault.verdict is Verdict.NOT_GRADABLE
        assert ran.fault.reason == reason(
            "fault-at",
            fault=reason("unsupported", what="vadd.s32.s32.s32"),
            location=SourceLocation(file="kernel.cu", line=line_of(source, "// here")),
        )

    def test_an_unknown_instruction_in_another_kernel_is_ignored(self) -> None:
        source = kernel("    out[t] = x[t];") + (
            'extern "C" __global__ void other(int* o) {'
            ' int v; asm("vadd.s32.s32.s32 %0, %1, %1;" : "=r"(v) : "r"(1)); *o = v; }'
        )
        ran = run_cuda(source, 1, 32, {"x": X, "out": Out((32,))})
        assert np.array_equal(ran["out"], X[:32])

    @pytest.mark.parametrize(
        ("grid", "block", "shared"),
        [(Dim3(x=1), Dim3(x=1025), 0), (Dim3(x=0), Dim3(x=1), 0), (Dim3(x=1), Dim3(x=1), 1 << 20)],
    )
    def test_an_impossible_launch_is_refused(self, grid: Dim3, block: Dim3, shared: int) -> None:
        ran = run_cuda(kernel("    out[t] = x[t];"), grid, block, {"x": X, "out": Out((32,))}, shared=shared)
        assert ran.fault is not None
        assert ran.fault.verdict is Verdict.CRASHED
        assert ran.fault.reason.code == "invalid-launch"

    def test_changed_inputs_are_listed(self) -> None:
        source = kernel("    ((float*)x)[t] = 5; out[t] = 1;")
        ran = run_cuda(source, 1, 32, {"x": X, "out": Out((32,))})
        assert ran.result.changed_inputs == ("x",)
        (found,) = ran.found(DiagnosticKind.READ_ONLY_WRITE)
        assert found.severity is Severity.WARNING
        assert found.message.code == "input-write"
        assert found.message.params["subject"] == reason("buffer", name="x")

    def test_the_same_run_gives_the_same_report(self) -> None:
        source = kernel(
            "    __shared__ float s[256];\n    s[t] = x[t];\n    out[t] = s[255 - t];\n    out[t + 9] = out[t];"
        )
        first, second = (run_cuda(source, 1, 256, {"x": X, "out": Out((256,))}).result for _ in range(2))
        assert first == second


@pytest.mark.parametrize(
    ("decisive", "kind"),
    [
        ("    last = t;", DiagnosticKind.SHARED_RACE),
        ("    if (t == 0) out[1] = x[256];", DiagnosticKind.OUT_OF_BOUNDS),
    ],
)
def test_what_decides_nothing_leaves_room_for_what_does(decisive: str, kind: DiagnosticKind) -> None:
    reads = "".join(f"    if (t == 0) (void)unset[{index}];\n" for index in range(MAX_EVENTS + 10))
    shared = f"    __shared__ volatile float unset[{MAX_EVENTS + 10}];\n    __shared__ volatile int last;\n"
    ran = run_cuda(kernel(f"{shared}{reads}{decisive}\n    out[0] = 1;"), 1, 64, {"x": X, "out": Out((256,))})
    assert len(ran.found(DiagnosticKind.UNINITIALISED)) > MAX_EVENTS / 2
    assert [found.severity for found in ran.found(kind)] == [Severity.ERROR]


def test_those_that_decide_are_the_errors_that_make_a_verdict() -> None:
    fatal = {*MEMORY_ERRORS, DiagnosticKind.SHARED_RACE, DiagnosticKind.GLOBAL_RACE}
    decide = {
        event for event, text in WORDINGS.items() if text.severity is Severity.ERROR and text.kind in fatal
    }
    assert decide == DECISIVE
    assert list(EventKind) == list(range(len(EVENT_ROOM)))  # event kinds are its indices
