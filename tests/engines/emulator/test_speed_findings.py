"""Performance findings come from counters, and their advice is checked on the recorded addresses."""

import numpy as np
import pytest

from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.plan import Dim3
from grader.model.reason import reason
from tools.emulator.compiling import InOut, Out, Ran, line_of, run_cuda
from tools.messages import codes, params

X = np.arange(4096, dtype=np.float32)


def kernel(body: str, parameters: str = "const float* x, float* out") -> str:
    return f'extern "C" __global__ void k({parameters}) {{\n    int t = threadIdx.x, ty = threadIdx.y;\n{body}\n}}\n'


def run(body: str, block: Dim3 | int, grid: int = 1) -> Ran:
    return run_cuda(kernel(body), grid, block, {"x": X, "out": Out((4096,))})


def conflict(declaration: str, store: str, load: str, block: Dim3) -> Diagnostic | None:
    """The bank-conflict finding for the loads of a tile."""
    ran = run(
        f"    __shared__ float {declaration};\n    {store} = x[t];\n    __syncthreads();\n"
        f"    out[ty * blockDim.x + t] = {load};",
        block,
    )
    found = ran.found(DiagnosticKind.BANK_CONFLICT)
    return found[0] if found else None


class TestPadding:
    """Padding is advised only if it removes the conflicts."""

    def test_one_element_mends_a_column_of_a_32_wide_tile(self) -> None:
        found = conflict("tile[32][32]", "tile[ty][t]", "tile[t][ty]", Dim3(x=32, y=32))
        assert found is not None
        assert found.advice == reason("pad-rows", length=32, padded=33)
        assert found.message.params["ratio"] == 32
        assert params(found.message, "shared-array") == {"name": "tile"}

    def test_what_is_advised_is_free_of_conflicts(self) -> None:
        assert conflict("tile[32][33]", "tile[ty][t]", "tile[t][ty]", Dim3(x=32, y=32)) is None

    def test_padding_by_one_is_not_advised_for_a_16_wide_tile(self) -> None:
        block = Dim3(x=16, y=16)
        found = conflict("tile[16][16]", "tile[ty][t]", "tile[t][ty]", block)
        assert found is not None
        assert conflict("tile[16][17]", "tile[ty][t]", "tile[t][ty]", block) is not None
        assert found.advice == reason("swizzle-rows", length=16, tried=8)

    def test_two_elements_are_advised_where_only_they_help(self) -> None:
        block = Dim3(x=16, y=16)
        found = conflict("tile[16][16]", "tile[t][ty]", "tile[t][ty]", block)
        assert found is not None
        assert found.advice == reason("pad-rows", length=16, padded=18)
        assert conflict("tile[16][18]", "tile[t][ty]", "tile[t][ty]", block) is None

    def test_a_stride_is_not_called_a_row(self) -> None:
        ran = run("    __shared__ float s[128];\n    s[2 * t] = x[t];\n    out[t] = s[2 * t];", 64)
        found = ran.found(DiagnosticKind.BANK_CONFLICT)
        assert found
        assert {diagnostic.advice for diagnostic in found} == {reason("use-neighbours")}

    def test_a_broadcast_is_no_conflict(self) -> None:
        assert conflict("tile[32][32]", "tile[ty][t]", "tile[ty][5]", Dim3(x=32, y=32)) is None


class TestCoalescing:
    """Findings name the observed stride."""

    def test_a_constant_stride_is_reported_in_elements(self) -> None:
        ran = run("    out[t] = x[32 * t];", 64)
        (found,) = ran.found(DiagnosticKind.UNCOALESCED)
        assert params(found.message, "sectors-by-stride")["stride"] == reason(
            "elements", count=32, bytes=reason("bytes", count=128)
        )
        assert found.severity is Severity.WARNING

    def test_scattered_addresses_have_no_stride(self) -> None:
        (found,) = run("    out[t] = x[(t * t * 37) % 4096];", 64).found(DiagnosticKind.UNCOALESCED)
        assert "sectors-by-stride" not in codes(found.message)

    def test_a_load_and_a_store_of_one_line_are_two_findings(self) -> None:
        found = run("    out[32 * t] = x[16 * t];", 64).found(DiagnosticKind.UNCOALESCED)
        assert [each.message.code for each in found] == ["uncoalesced-load", "uncoalesced-store"]


WORK = "for (int i = 0; i < 40; i++) v = v * x[i] + x[i + t];"


class TestDivergence:
    """Frequent divergence is a finding; divergence at the grid's edge is not."""

    def test_a_branch_by_parity_is_reported_at_its_line(self) -> None:
        source = kernel(
            f"    float v = 0;\n    if (t % 2 == 0) {{ // branch\n        {WORK}\n    }}\n    out[t] = v;"
        )
        ran = run_cuda(source, 1, 256, {"x": X, "out": Out((4096,))})
        (found,) = ran.found(DiagnosticKind.DIVERGENCE)
        assert found.line == line_of(source, "// branch")
        assert found.severity is Severity.WARNING
        assert (found.message.params["share"], found.message.params["branches"]) == (1, 8)

    def test_a_branch_by_whole_warps_is_none(self) -> None:
        ran = run(
            f"    float v = 0;\n    if (t / 32 % 2 == 0) {{\n        {WORK}\n    }}\n    out[t] = v;", 256
        )
        assert ran.found(DiagnosticKind.DIVERGENCE) == []

    def test_the_edge_of_the_grid_is_none(self) -> None:
        ran = run(
            f"    float v = 0;\n    if (blockIdx.x * 256 + t < 1000) {{\n        {WORK}\n    }}\n    out[t] = v;",
            256,
            4,
        )
        assert ran.found(DiagnosticKind.DIVERGENCE) == []


class TestContention:
    """Atomics with the same address in several lanes."""

    @pytest.mark.parametrize(
        ("index", "severity"), [("0", Severity.WARNING), ("t % 8", Severity.NOTE), ("t % 32", None)]
    )
    def test_it_is_graded_by_the_lanes_that_meet(self, index: str, severity: Severity | None) -> None:
        source = kernel(f"    atomicAdd(out + {index}, 1.0f);", "float* out")
        ran = run_cuda(source, 2, 64, {"out": InOut(np.zeros(64, np.float32))})
        assert [found.severity for found in ran.found(DiagnosticKind.ATOMIC_CONTENTION)] == (
            [severity] if severity else []
        )


class TestOccupancy:
    """Only low occupancy is reported, with the resource that limits it."""

    def test_a_tile_that_fills_the_shared_memory_is_reported(self) -> None:
        ran = run(
            "    __shared__ float s[12000];\n    s[t] = x[t];\n    __syncthreads();\n    out[t] = s[63 - t];",
            64,
        )
        (found,) = ran.found(DiagnosticKind.OCCUPANCY)
        said = params(found.message, "low-occupancy")
        assert (said["active"], said["most"]) == (2, 32)
        assert said["limiter"] == reason("limiter-shared-memory")
        assert found.severity is Severity.NOTE

    def test_a_full_multiprocessor_is_not(self) -> None:
        assert run("    out[t] = x[t];", 256).found(DiagnosticKind.OCCUPANCY) == []


class TestLocalMemory:
    """A thread's local array is tracked like other memory."""

    def test_an_uninitialised_read_is_reported_at_its_line(self) -> None:
        source = kernel(
            "    float v[8];\n    for (int i = 0; i < 7; i++) v[(i + t) % 8] = x[i];\n"
            "    out[t] = v[(int)x[t + 7] % 8]; // read"
        )
        ran = run_cuda(source, 1, 32, {"x": X, "out": Out((4096,))})
        (found,) = ran.found(DiagnosticKind.UNINITIALISED)
        assert (found.line, found.severity) == (line_of(source, "// read"), Severity.WARNING)
        assert found.message.params["subject"] == reason("local-memory")

    def test_an_array_that_is_written_whole_is_none(self) -> None:
        ran = run(
            "    float v[8];\n    for (int i = 0; i < 8; i++) v[(i + t) % 8] = x[i];\n    out[t] = v[(int)x[t] % 8];",
            64,
            3,
        )
        assert ran.found(DiagnosticKind.UNINITIALISED) == []


def test_returned_threads_are_reported_with_their_branch() -> None:
    source = kernel(
        "    if (t >= 50) return; // leave\n    out[t] = x[t];\n    __syncthreads(); // wait\n    out[t] += 1;"
    )
    (found,) = run_cuda(source, 1, 64, {"x": X, "out": Out((4096,))}).found(DiagnosticKind.DIVERGENT_BARRIER)
    assert found.line == line_of(source, "// wait")
    said = params(found.message, "barrier-not-reached-by-branch")
    assert (said["waiting"], said["threads"], said["ended"]) == (50, reason("threads", count=64), 14)
    assert said["branch"] == reason("location-line", line=line_of(source, "// leave"))
    assert said["first"] == reason("thread", thread="(50,0,0)")
    assert found.threads == 50
