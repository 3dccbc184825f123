"""Findings fit the case: correct counts, one finding per cause, and advice that solves the problem."""

import numpy as np
import pytest

from grader.compile.toolkit_headers import toolkit_options
from grader.engines.emulator.findings.wavefronts import wavefronts
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.plan import Dim3
from grader.model.reason import Reason, reason
from tests.engines.emulator.surface_kernels import GRID_SYNC
from tools.emulator.compiling import InOut, Out, Ran, Scratch, line_of, ptx_of, run_cuda, run_ptx
from tools.messages import english, params

X = np.arange(4096, dtype=np.float32)
RACES = (DiagnosticKind.SHARED_RACE, DiagnosticKind.GLOBAL_RACE)


def kernel(body: str) -> str:
    return (
        'extern "C" __global__ void k(const float* x, float* out) {\n    int t = threadIdx.x, ty = threadIdx.y;\n'
        f"{body}\n}}\n"
    )


def run(body: str, block: Dim3 | int, grid: int = 1) -> Ran:
    return run_cuda(kernel(body), grid, block, {"x": X, "out": Out((4096,))})


def conflicts(body: str, block: Dim3 | int) -> list[Diagnostic]:
    return run(body, block).found(DiagnosticKind.BANK_CONFLICT)


def waiting(count: int, line: int, first: str) -> Reason:
    return reason(
        "waiting-threads",
        count=count,
        line=reason("location-line", line=line),
        first=reason("thread", thread=first),
    )


class TestBanks:
    """The rules that count a launch's conflicts are also used to try a padding."""

    @pytest.mark.parametrize(
        ("size", "step", "load", "needed"),
        [
            (4, 8, True, 2),
            (8, 8, True, 2),
            (8, 0, True, 1),
            (8, 0, False, 2),
            (16, 32, False, 8),
            (16, 0, True, 2),
        ],
    )
    def test_an_access_is_counted_again_by_the_rules_of_the_launch(
        self, size: int, step: int, *, load: bool, needed: int
    ) -> None:
        addresses = [step * lane for lane in range(32)]
        assert wavefronts(range(32), addresses, size, load=load)[0] == needed

    def test_columns_of_a_tile_of_doubles_get_a_tested_padding(self) -> None:
        body = (
            "    __shared__ double tile[32][LENGTH];\n"
            "    for (int r = ty; r < 32; r += 8) tile[r][t] = x[32 * r + t];\n"
            "    __syncthreads();\n    for (int r = ty; r < 32; r += 8) out[32 * r + t] = tile[t][r];"
        )
        (found,) = conflicts(body.replace("LENGTH", "32"), Dim3(x=32, y=8))
        assert found.advice == reason("pad-rows", length=32, padded=33)
        assert conflicts(body.replace("LENGTH", "33"), Dim3(x=32, y=8)) == []

    def test_a_reduction_with_gaps_is_advised_to_use_neighbours(self) -> None:
        found = conflicts(
            "    __shared__ float part[512];\n    part[t] = x[t]; part[t + 256] = x[t + 256];\n"
            "    for (int s = 1; s <= 256; s *= 2) {\n        __syncthreads();\n"
            "        if (2 * s * t < 512) part[2 * s * t] += part[2 * s * t + s];\n    }\n"
            "    if (t == 0) out[0] = part[0];",
            256,
        )
        (only,) = found
        assert params(only.message, "accesses-of-array") == {
            "accesses": (reason("loads"), reason("stores")),
            "array": reason("shared-array", name="part"),
        }
        assert only.advice == reason("use-neighbours-in-reduction")

    def test_a_wide_stride_of_which_nothing_else_is_used_is_no_row(self) -> None:
        found = conflicts("    __shared__ float s[1024];\n    s[32 * t] = x[t];\n    out[t] = s[32 * t];", 32)
        assert found
        assert {each.advice for each in found} == {reason("use-neighbours")}

    def test_a_block_narrower_than_the_rows_is_reported(self) -> None:
        found = conflicts(
            "    __shared__ float tile[32][32];\n    tile[ty][t] = x[t];\n    __syncthreads();\n"
            "    out[t] = tile[ty][t];",
            Dim3(x=16, y=16),
        )
        assert found
        assert {each.advice for each in found} == {reason("use-one-row")}


class TestBarriers:
    """Findings name the waiting and the ended threads."""

    def test_a_deadlock_counts_waiting_and_ended_threads(self) -> None:
        source = kernel(
            "    if (t >= 72) return; // leave\n"
            "    if (t < 32) { __syncthreads(); out[t] = 1; } // one\n"
            '    else { asm volatile("bar.sync 1;"); out[t] = 2; } // two'
        )
        ran = run_cuda(source, 1, 256, {"x": X, "out": Out((64,))})
        assert ran.fault is not None
        one, two, leave = (line_of(source, mark) for mark in ("// one", "// two", "// leave"))
        said = params(ran.fault.reason, "barrier-deadlock-after-branch")
        assert said == {
            "block": reason("block", block="(0,0,0)"),
            "threads": reason("threads", count=256),
            "groups": (waiting(32, one, "(0,0,0)"), waiting(40, two, "(32,0,0)")),
            "ended": 184,
            "branch": reason("location-line", line=leave),
        }

    def test_two_barriers_missed_by_one_branch_are_one_finding(self) -> None:
        source = kernel(
            "    if (t < 50) { // branch\n        out[t] = x[t];\n        __syncthreads(); // first\n"
            "        out[64 + t] = out[49 - t];\n        __syncthreads();\n    }"
        )
        ran = run_cuda(source, 1, 64, {"x": X, "out": Out((4096,))})
        (found,) = ran.found(DiagnosticKind.DIVERGENT_BARRIER)
        assert found.line == line_of(source, "// first")
        said = params(found.message, "barrier-not-reached-by-branch")
        assert (said["waiting"], said["ended"]) == (50, 14)
        assert said["branch"] == reason("location-line", line=line_of(source, "// branch"))
        assert (found.threads, found.count) == (50, 100)

    def test_different_lane_masks_at_one_line_are_one_finding(self) -> None:
        source = kernel(
            "    if (t < 8) out[t] = __shfl_down_sync(0xffffffffu >> (4 * blockIdx.x), x[t], 1); // here\n"
            "    else out[t] = 0;\n    __syncthreads();\n    out[t] += 1;"
        )
        ran = run_cuda(source, 1, 32, {"x": X, "out": Out((64,))}, times=2)
        other = run_cuda(source, 2, 32, {"x": X, "out": Out((64,))})
        subjects = {
            found.identity for each in (ran, other) for found in each.found(DiagnosticKind.INACTIVE_LANE)
        }
        assert len(subjects) == 1


class TestRaces:
    """Every cause is reported once."""

    def test_a_kernel_with_a_grid_barrier_is_advised_to_use_it(self) -> None:
        source = GRID_SYNC.replace("grid.sync();", "if (n < 0) grid.sync();")
        n = 256
        ran = run_ptx(
            ptx_of(source, *toolkit_options()),
            "run",
            4,
            64,
            {"x": Scratch((n,), np.int32), "out": Out((n,), np.int32), "n": n},
        )
        found = [race for race in ran.found(*RACES) if race.severity is Severity.ERROR]
        assert found
        assert {params(race.advice, "add-grid-barrier")["barrier"] for race in found} == {"grid.sync()"}

    @pytest.mark.parametrize(("value", "clash"), [("1, 2", False), ("1, t % 2", True)])
    @pytest.mark.parametrize("vector", ["float2", "float4"])
    def test_vectors_written_to_one_address_race_where_they_differ(
        self, vector: str, value: str, *, clash: bool
    ) -> None:
        value = value if vector == "float2" else f"0, 3, {value}"
        ran = run(f"    (({vector}*)out)[0] = make_{vector}({value});", 32)
        assert bool(ran.found(*RACES)) == clash

    def test_vectors_of_one_value_by_several_warps_are_a_note(self) -> None:
        (found,) = run("    ((float4*)out)[0] = make_float4(1, 2, 3, 4);", 64).found(*RACES)
        assert found.severity is Severity.NOTE
        assert found.message.code == "same-value-writes"

    def test_threads_that_write_one_element_get_no_barrier_advice(self) -> None:
        (found,) = run("    out[t % 64] = x[t];", 128).found(*RACES)
        assert found.severity is Severity.ERROR
        assert "barrier" not in english(found.message) + english(found.advice)
        assert found.advice == reason("own-elements")

    def test_a_barrier_that_fixes_a_race_is_advised_once(self) -> None:
        source = kernel(
            "    __shared__ float a[64], b[64];\n    a[t] = x[t]; // a\n    b[t] = x[t + 1]; // b\n"
            "    out[t] = a[t ^ 1] + b[63 - t];"
        )
        ran = run_cuda(source, 1, 64, {"x": X, "out": Out((64,))})
        assert [race.related[0].line for race in ran.found(*RACES)] == [line_of(source, "// b")]
        assert ran.found(DiagnosticKind.LANE_HAZARD) == []

    def test_an_exchange_without_a_race_is_reported(self) -> None:
        source = kernel(
            "    __shared__ float a[64], b[64];\n    a[t] = x[t];\n    out[t] = a[t ^ 1]; // exchange\n"
            "    b[t] = x[t + 1];\n    out[t] += b[63 - t]; // race"
        )
        ran = run_cuda(source, 1, 64, {"x": X, "out": Out((64,))})
        assert ran.lines(*RACES) == {line_of(source, "// race")}
        assert ran.lines(DiagnosticKind.LANE_HAZARD) == {line_of(source, "// exchange")}

    def test_what_a_race_leaves_unwritten_is_blamed_on_the_race(self) -> None:
        (found,) = run("    __shared__ float s[64];\n    s[t] = x[t];\n    out[t] = s[63 - t];", 64).found(
            DiagnosticKind.UNINITIALISED
        )
        assert found.advice == reason("fix-race-first")


def test_the_threads_of_a_finding_are_those_of_its_message() -> None:
    source = kernel("    out[blockIdx.x * blockDim.x + t] += x[t];")
    (found,) = run_cuda(source, 2, 64, {"x": X, "out": Out((4096,))}).found(DiagnosticKind.UNINITIALISED)
    assert params(found.message, "several-threads") == {
        "count": 128,
        "first": reason("thread-of-block", thread="(0,0,0)", block="(0,0,0)"),
    }
    assert (found.threads, found.count) == (128, 128)


def test_blocks_that_write_the_first_blocks_elements_are_counted() -> None:
    ran = run_cuda(kernel("    out[t] = x[t];"), 4, 64, {"x": X, "out": InOut(X)})
    (found,) = ran.found(*RACES)
    assert (found.severity, found.count, found.threads) == (Severity.NOTE, 3 * 64, 3 * 64)
    assert found.advice == reason("one-writer-of-block", block_index="blockIdx")
