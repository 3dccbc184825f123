"""Sectors of global memory and wavefronts of shared memory, per source line."""

import numpy as np
import pytest

from grader.engines.cost_model import modelled_seconds
from grader.model.devices import TESLA_T4
from grader.model.diagnostic import DiagnosticKind, Severity
from grader.model.plan import Dim3
from grader.model.reason import reason
from grader.model.run import AccessSite, RunOptions
from grader.model.verdict import Verdict
from tools.emulator.compiling import Out, engine_for, job_of, line_of, ptx_of, run_cuda
from tools.messages import params

X = np.arange(4096, dtype=np.float32)


def kernel(body: str) -> str:
    return (
        f'extern "C" __global__ void k(const float* x, float* out) {{\n    int t = threadIdx.x;\n{body}\n}}\n'
    )


def site(body: str, space: str, *, store: bool, block: Dim3 | int = 32) -> AccessSite:
    """The cost of the line marked ``here`` in a block."""
    source = kernel(body)
    ran = run_cuda(source, 1, block, {"x": X, "out": Out((4096,))})
    assert ran.fault is None, ran.fault
    (found,) = [
        s
        for s in ran.counters.sites
        if (s.line, s.space, s.store) == (line_of(source, "// here"), space, store)
    ]
    return found


@pytest.mark.parametrize(
    ("index", "sectors", "ideal"),
    [
        ("t", 4, 4),
        ("0", 1, 1),
        ("t + 1", 5, 4),
        ("31 - t", 4, 4),
        ("t * 2", 8, 4),
        ("t * 8", 32, 4),
        ("t * 32", 32, 4),
        ("t / 8 * 100", 4, 4),
        ("(t * 7) % 32", 4, 4),
        ("(t % 2) * 64 + t / 2", 4, 4),
        ("t / 16 * 3000 + t % 16", 4, 4),
        ("t % 16 * 200 + t / 16", 16, 4),
        ("t * 100", 32, 4),
        ("(31 - t) * 100", 32, 4),
        ("(t ^ 1) * 100", 32, 4),
        ("t / 2 * 200", 16, 4),
    ],
)
def test_a_load_touches_this_many_sectors(index: str, sectors: int, ideal: int) -> None:
    found = site(f"    float v = x[{index}]; // here\n    out[t] = v;", "global", store=False)
    assert (found.requests, found.transactions, found.ideal) == (1, sectors, ideal)


def test_a_store_by_some_lanes_counts_only_them() -> None:
    found = site("    if (t >= 8 && t < 24) out[t] = 1; // here", "global", store=True)
    assert (found.requests, found.transactions, found.ideal) == (1, 2, 2)


@pytest.mark.parametrize(
    ("vector", "index", "sectors", "ideal"),
    [
        ("float2", "t", 8, 8),
        ("float2", "t + 1", 9, 8),
        ("float2", "0", 1, 1),
        ("float2", "t % 16", 4, 4),
        ("float4", "t", 16, 16),
        ("float4", "t + 1", 17, 16),
        ("float4", "5", 1, 1),
        ("float4", "t % 8", 4, 4),
        ("float4", "t / 8", 2, 2),
        ("float4", "31 * t", 32, 16),
        ("float4", "31 * (t ^ 5)", 32, 16),
    ],
)
def test_wide_loads_touch_each_sector_of_the_warp_once(
    vector: str, index: str, sectors: int, ideal: int
) -> None:
    body = f"    {vector} v = (({'const ' + vector}*)x)[{index}]; // here\n    out[t] = v.x + v.y;"
    found = site(body, "global", store=False)
    assert (found.requests, found.transactions, found.ideal) == (1, sectors, ideal)


def test_every_warp_is_a_request_of_its_own() -> None:
    found = site("    out[t] = x[t]; // here", "global", store=False, block=100)
    assert (found.requests, found.transactions) == (4, 13)


@pytest.mark.parametrize(
    ("index", "wavefronts"),
    [
        ("t", 1),
        ("5", 1),
        ("t * 2", 2),
        ("t * 3", 1),
        ("t * 16", 16),
        ("t * 17", 1),
        ("t * 32", 32),
        ("t * 33", 1),
        ("t / 2", 1),
        ("t / 16 * 32 + 7", 2),
        ("(t % 4) * 32", 4),
        ("t / 16 * 16", 1),
        ("(t ^ 1) * 33", 1),
        ("(t ^ 1) * 32", 32),
        ("t / 2 * 64 % 1024", 16),
        ("t / 4 * 33", 1),
    ],
)
def test_a_shared_load_takes_this_many_wavefronts(index: str, wavefronts: int) -> None:
    body = (
        "    __shared__ float s[1100];\n    for (int i = t; i < 1100; i += 32) s[i] = i;\n    __syncthreads();\n"
        f"    float v = s[{index}]; // here\n    out[t] = v;"
    )
    found = site(body, "shared", store=False)
    assert (found.requests, found.transactions, found.ideal) == (1, wavefronts, 1)


WIDE = (
    "    __shared__ VECTOR s[256];\n    float* words = (float*)s;\n"
    "    for (int i = t; i < 256 * sizeof(VECTOR) / 4; i += 32) words[i] = i;\n    __syncthreads();\n"
)


@pytest.mark.parametrize(
    ("vector", "index", "wavefronts", "ideal"),
    [
        ("float2", "t", 2, 2),
        ("float2", "t * 2", 4, 2),
        ("float2", "t * 8 % 256", 16, 2),
        ("float2", "0", 1, 1),
        ("float2", "t / 2", 1, 1),
        ("float2", "t % 2", 1, 1),
        ("float2", "t % 16", 2, 2),
        ("float4", "t", 4, 4),
        ("float4", "t * 2", 8, 4),
        ("float4", "0", 2, 2),
        ("float4", "t / 2", 2, 2),
        ("float4", "t / 4", 2, 2),
        ("float4", "t % 8", 4, 4),
    ],
)
def test_wide_shared_loads_join_parts_that_read_in_pairs(
    vector: str, index: str, wavefronts: int, ideal: int
) -> None:
    body = WIDE + f"    VECTOR v = s[{index}]; // here\n    out[t] = v.x + v.y;"
    found = site(body.replace("VECTOR", vector), "shared", store=False)
    assert (found.requests, found.transactions, found.ideal) == (1, wavefronts, ideal)


@pytest.mark.parametrize(("vector", "wavefronts"), [("float2", 2), ("float4", 4)])
@pytest.mark.parametrize("index", ["t", "0", "t / 2"])
def test_wide_shared_stores_are_served_in_parts(vector: str, wavefronts: int, index: str) -> None:
    value = "make_float2(1, 2)" if vector == "float2" else "make_float4(1, 2, 3, 4)"
    body = WIDE + f"    s[{index}] = {value}; // here\n    __syncthreads();\n    out[t] = s[t].x;"
    found = site(body.replace("VECTOR", vector), "shared", store=True)
    assert (found.requests, found.transactions, found.ideal) == (1, wavefronts, wavefronts)


def test_a_wide_load_by_some_lanes_counts_only_them() -> None:
    body = (
        WIDE
        + "    float v = 0;\n    if (t & 1) v = s[t / 8 * 8].x + s[t / 8 * 8].y; // here\n    out[t] = v;"
    )
    found = site(body.replace("VECTOR", "float2"), "shared", store=False)
    assert (found.requests, found.transactions) == (1, 2)


def test_arrays_lie_in_the_banks_they_would_have_without_gaps() -> None:
    body = (
        "    __shared__ float a[24], b[32];\n    a[t % 24] = t; b[t] = t;\n    __syncthreads();\n"
        "    const float* p = t < 8 ? &a[t] : &b[t];\n    float v = *p; // here\n    out[t] = v + a[0] + b[0];"
    )
    # b starts in bank 24, so b[8..31] fill banks 0..23 and a[0..7] collide with eight of them.
    found = site(body, "shared", store=False)
    assert found.transactions == 2


def test_a_strided_load_and_a_bank_conflict_give_advice() -> None:
    source = kernel(
        "    __shared__ float s[32][32];\n    for (int i = 0; i < 32; i++) s[i][t] = x[t * 32 + i]; // strided\n"
        "    __syncthreads();\n    float v = 0;\n    for (int i = 0; i < 32; i++) v += s[t][i]; // conflict\n"
        "    out[t] = v;"
    )
    ran = run_cuda(source, 1, 32, {"x": X, "out": Out((32,))})
    (strided,) = ran.found(DiagnosticKind.UNCOALESCED)
    (conflict,) = ran.found(DiagnosticKind.BANK_CONFLICT)
    assert (strided.line, strided.severity) == (line_of(source, "// strided"), Severity.WARNING)
    assert params(strided.message, "sectors-by-stride")["sectors"] == 32
    assert (conflict.line, conflict.severity) == (line_of(source, "// conflict"), Severity.WARNING)
    assert conflict.message.params["ratio"] == 32
    assert conflict.advice == reason("pad-rows", length=32, padded=33)
    assert ran.counters.bank_conflicts == 31 * 32


def test_counters_count_instructions_barriers_and_atomics() -> None:
    source = kernel(
        "    float v = x[t] * 2 + 1;\n    __syncthreads();\n    atomicAdd(&out[4000], v);\n    out[t] = v;"
    )
    ran = run_cuda(source, 2, 64, {"x": X, "out": Out((4096,))})
    counters = ran.counters
    assert (counters.blocks, counters.threads_per_block, counters.launches) == (2, 64, 1)
    assert (counters.barriers, counters.atomics, counters.fp32_instructions) == (4, 4, 4)
    assert counters.thread_instructions == 32 * counters.warp_instructions
    assert counters.footprint_bytes == 2 * 4 * 4096


def test_two_versions_are_compared_by_the_cost_model() -> None:
    good, bad = (
        job_of(ptx_of(kernel(f"    out[t] = x[{index}];")), "k", 4, 64, {"x": X, "out": Out((64,))})
        for index in ("t", "t * 32")
    )
    comparison = engine_for(TESLA_T4).compare(good, bad, RunOptions())
    assert comparison.modelled
    (pair,) = comparison.pairs
    assert 0 < pair.baseline < pair.submission
    counters = engine_for(TESLA_T4).run(good, RunOptions()).counters
    assert pair.baseline == modelled_seconds(counters, TESLA_T4)


def test_a_submission_that_crashes_is_not_compared() -> None:
    good, bad = (
        job_of(ptx_of(kernel(f"    out[{index}] = x[t];")), "k", 1, 64, {"x": X, "out": Out((64,))})
        for index in ("t", "t * 32")
    )
    comparison = engine_for(TESLA_T4).compare(good, bad, RunOptions())
    assert comparison.fault is not None
    assert comparison.fault.verdict is Verdict.CRASHED


def test_a_multiply_add_counts_as_two_operations() -> None:
    source = kernel(
        "    float v = x[t];\n    out[t] = fmaf(v, v, 1.0f) * sqrtf(v);\n"
        "    int n = __float_as_int(v);\n    out[100 + t] = __int_as_float(n * n + t);"
    )
    counters = run_cuda(source, 2, 40, {"x": abs(X), "out": Out((4096,))}).counters
    assert (counters.fp32_operations, counters.fp64_operations) == (80 * 4, 0)
    assert counters.integer_operations == 80 * 2
