"""Shared memory is used if values of global memory pass through it from thread to thread; tricks earn nothing."""

import numpy as np
import pytest

from grader.labs.manifest import TechniqueCheck
from grader.model.plan import Dim3
from tests.judge.technique_kernels import (
    BLOCK_SUMS,
    HELPERS,
    NAIVE_PRODUCT,
    RNG,
    ROWS,
    SQUARE,
    SUMS,
    TILED_PRODUCT,
    TRANSPOSITIONS,
    N,
    flaw,
    product,
    sums,
)
from tools.emulator.compiling import InOut, Out, line_of, run_cuda

SUM_TRICKS = {
    "a dead store by one thread": """
    __shared__ volatile float dead[1];
    if (i == 0) dead[0] = 0;
    out[i] = row_of(a, i, cols);""",
    "a dead store by all threads for every element": """
    __shared__ volatile float dead[32];
    float s = 0;
    for (int j = 0; j < cols; ++j) { float v = a[i * cols + j]; dead[t] = v; s += v; }
    out[i] = s;""",
    "a tile that is filled and read, and not used": """
    __shared__ volatile float tile[32][33];
    for (int r = 0; r < 32; ++r) tile[r][t] = a[(blockIdx.x * 32 + r) * cols + t];
    __syncthreads();
    for (int r = 0; r < 32; ++r) tile[t][r];
    out[i] = row_of(a, i, cols);""",
    "a tile with values that are multiplied by zero": """
    __shared__ float tile[32];
    tile[t] = a[i * cols];
    __syncthreads();
    out[i] = row_of(a, i, cols) + 0.0f * tile[t ^ 1];""",
    "constants that pass from thread to thread": """
    __shared__ float tile[32][33];
    for (int r = 0; r < 32; ++r) tile[r][t] = t;
    __syncthreads();
    float zero = 0;
    for (int r = 0; r < 32; ++r) zero += 0.0f * tile[t][r];
    out[i] = row_of(a, i, cols) + zero;""",
    "each thread stores and reads its own word": """
    __shared__ volatile float own[32];
    float s = 0;
    for (int j = 0; j < cols; ++j) { own[t] = a[i * cols + j]; s += own[t]; }
    out[i] = s;""",
    "each thread reads its own word in another place at each step": """
    __shared__ volatile float own[32];
    float s = 0;
    for (int j = 0; j < cols; ++j) {
        own[(t + j) % 32] = a[i * cols + j];
        s += own[(t + j) % 32];
        __syncthreads();
    }
    out[i] = s;""",
    "every element goes through shared memory to one other thread": """
    __shared__ volatile float swap[32];
    float s = 0;
    for (int j = 0; j < cols; ++j) {
        swap[t] = a[(i ^ 1) * cols + j];
        __syncthreads();
        s += swap[t ^ 1];
        __syncthreads();
    }
    out[i] = s;""",
    "every element moves on by one thread": """
    __shared__ volatile float ring[32];
    float s = 0;
    for (int j = 0; j < cols; ++j) {
        ring[(t + 1) % 32] = a[i * cols + j];
        __syncthreads();
        s += ring[t];
        __syncthreads();
    }
    out[i - t + (t + 31) % 32] = s;""",
    "every element is swapped and also read for nothing": """
    __shared__ volatile float swap[32];
    float s = 0;
    for (int j = 0; j < cols; ++j) {
        swap[t] = a[(i ^ 1) * cols + j];
        __syncthreads();
        s += swap[t ^ 1] + 0.0f * swap[t];
        __syncthreads();
    }
    out[i] = s;""",
    "every element is swapped, and lanes store one after the other": """
    __shared__ volatile float swap[32];
    float s = 0;
    for (int j = 0; j < cols; ++j) {
        float v = a[(i ^ 1) * cols + j];
        for (int k = 0; k < 4; ++k) if (t % 4 == k) swap[t] = v;
        __syncthreads();
        s += swap[t ^ 1];
        __syncthreads();
    }
    out[i] = s;""",
    "vectors are swapped": """
    __shared__ float4 swap[32];
    float s = 0;
    for (int j = 0; j < cols; j += 4) {
        swap[t] = *(const float4 *)(a + (i ^ 1) * cols + j);
        __syncthreads();
        float4 v = swap[t ^ 1];
        s += v.x + v.y + v.z + v.w;
        __syncthreads();
    }
    out[i] = s;""",
    "a finished result goes through shared memory to another thread": """
    __shared__ float result[32];
    result[t] = row_of(a, i, cols);
    __syncthreads();
    out[i ^ 1] = result[t ^ 1];""",
    "finished results are read twice, once for nothing": """
    __shared__ float result[32];
    result[t] = row_of(a, i, cols);
    __syncthreads();
    out[i ^ 1] = result[t ^ 1] + 0.0f * result[t];""",
    "idle threads give parts that change nothing": """
    __shared__ float part[64];
    i = blockIdx.x * 32 + t;
    part[t] = t < 32 ? row_of(a, i, cols) : a[t];
    __syncthreads();
    if (t < 32) out[i] = part[t] + 0.0f * part[t + 32];""",
    "a chain of tiles that ends in a dead store": """
    __shared__ float one[32];
    __shared__ volatile float two[32];
    one[t] = a[i * cols];
    __syncthreads();
    two[t] = one[t ^ 1];
    out[i] = row_of(a, i, cols);""",
    "a counter in shared memory": """
    __shared__ int count;
    if (t == 0) count = 0;
    __syncthreads();
    atomicAdd(&count, 1);
    __syncthreads();
    out[i] = row_of(a, i, cols) + 0.0f * count;""",
    "the tile is filled in one block of many": """
    __shared__ float tile[32][33];
    if (blockIdx.x == 0) {
        float s = 0;
        for (int j = 0; j < cols; j += 32) {
            for (int r = 0; r < 32; ++r) tile[r][t] = a[r * cols + j + t];
            __syncthreads();
            for (int r = 0; r < 32; ++r) s += tile[t][r];
            __syncthreads();
        }
        out[t] = s;
        return;
    }
    out[i] = row_of(a, i, cols);""",
}


@pytest.mark.parametrize("body", SUM_TRICKS.values(), ids=SUM_TRICKS)
@pytest.mark.parametrize("check", [TechniqueCheck.USES_SHARED, TechniqueCheck.NO_BANK_CONFLICTS])
def test_shared_memory_that_results_do_not_need_earns_nothing(body: str, check: TechniqueCheck) -> None:
    assert flaw(sums(body, block=64 if "part[64]" in body else 32), check) is not None


@pytest.mark.parametrize("body", SUMS.values(), ids=SUMS)
def test_a_tile_uses_shared_memory(body: str) -> None:
    assert flaw(sums(body), TechniqueCheck.USES_SHARED) is None


@pytest.mark.parametrize("body", BLOCK_SUMS.values(), ids=BLOCK_SUMS)
def test_threads_that_combine_parts_use_shared_memory(body: str) -> None:
    assert flaw(sums(body, grid=ROWS, block=128), TechniqueCheck.USES_SHARED) is None


def test_two_warps_that_combine_two_parts_use_shared_memory() -> None:
    body = """
    __shared__ float part[2];
    float s = a[blockIdx.x * cols + t] + a[blockIdx.x * cols + 64 + t];
    for (int k = 16; k > 0; k /= 2) s += __shfl_xor_sync(FULL, s, k);
    if (t % 32 == 0) part[t / 32] = s;
    __syncthreads();
    if (t == 0) out[blockIdx.x] = part[0] + part[1];"""
    assert flaw(sums(body, grid=ROWS, block=64), TechniqueCheck.USES_SHARED) is None


def test_the_reason_names_the_share_and_the_loads_that_go_past() -> None:
    found = flaw(sums(SUM_TRICKS["a dead store by one thread"]), TechniqueCheck.USES_SHARED)
    assert found is not None
    assert (found.code, found.params["share"], found.case) == ("loads-past-shared-memory", 0, "medium")
    assert found.location is not None
    assert found.location.line == line_of(HELPERS, "// direct")


def test_the_reason_names_the_store_that_nobody_reads() -> None:
    found = flaw(sums(SUM_TRICKS["each thread stores and reads its own word"]), TechniqueCheck.USES_SHARED)
    assert found is not None
    assert (found.code, found.location and found.location.line) == ("shared-memory-not-exchanged", 13)


def test_the_reason_says_that_shared_memory_saves_no_load() -> None:
    ran = sums(SUM_TRICKS["every element goes through shared memory to one other thread"])
    found = flaw(ran, TechniqueCheck.USES_SHARED)
    assert found is not None
    assert (found.code, found.params["reads"]) == ("nothing-gained-by-shared-memory", 1)
    assert found.params["gathered"] == found.params["fetched"]


@pytest.mark.parametrize("body", TRANSPOSITIONS.values(), ids=TRANSPOSITIONS)
def test_a_tile_that_is_read_in_another_order_uses_shared_memory(body: str) -> None:
    source = (
        f'extern "C" __global__ void k(const float *a, float *b, int n) {{\n'
        f"    int x = threadIdx.x, y = threadIdx.y, bx = blockIdx.x * 32, by = blockIdx.y * 32;{body}\n}}\n"
    )
    ran = run_cuda(source, Dim3(x=2, y=2), Dim3(x=32, y=8), {"a": SQUARE, "b": Out((N, N)), "n": N})
    assert np.array_equal(ran["b"], SQUARE.T)
    assert flaw(ran, TechniqueCheck.USES_SHARED) is None


ALONE = {
    "one lane reads the tile and stores everything": """
    if (x == 0 && y == 0)
        for (int r = 0; r < 32; ++r) for (int c = 0; c < 32; ++c) b[(bx + r) * n + by + c] = tile[c][r];""",
    "one lane of each warp does": """
    if (x == 0)
        for (int r = y; r < 32; r += 8) for (int c = 0; c < 32; ++c) b[(bx + r) * n + by + c] = tile[c][r];""",
}


@pytest.mark.parametrize("body", ALONE.values(), ids=ALONE)
@pytest.mark.parametrize("check", [TechniqueCheck.USES_SHARED, TechniqueCheck.NO_BANK_CONFLICTS])
def test_a_tile_that_single_lanes_read_earns_nothing(body: str, check: TechniqueCheck) -> None:
    source = (
        'extern "C" __global__ void k(const float *a, float *b, int n) {\n'
        "    int x = threadIdx.x, y = threadIdx.y, bx = blockIdx.x * 32, by = blockIdx.y * 32;\n"
        "    __shared__ float tile[32][33];\n"
        "    for (int r = y; r < 32; r += 8) tile[r][x] = a[(by + r) * n + bx + x];\n"
        f"    __syncthreads();{body}\n}}\n"
    )
    ran = run_cuda(source, Dim3(x=2, y=2), Dim3(x=32, y=8), {"a": SQUARE, "b": Out((N, N)), "n": N})
    assert np.array_equal(ran["b"], SQUARE.T)
    assert flaw(ran, check) is not None


def test_a_stencil_of_three_points_uses_shared_memory() -> None:
    source = """
extern "C" __global__ void k(const float *a, float *b, int n) {
    __shared__ float line[66];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    line[t + 1] = a[i];
    if (t == 0) line[0] = i ? a[i - 1] : 0;
    if (t == 63) line[65] = i + 1 < n ? a[i + 1] : 0;
    __syncthreads();
    b[i] = line[t] + line[t + 1] + line[t + 2];
}
"""
    a = RNG.random(1024, np.float32)
    ran = run_cuda(source, 16, 64, {"a": a, "b": Out((1024,)), "n": 1024})
    assert flaw(ran, TechniqueCheck.USES_SHARED) is None


def test_a_lab_may_ask_for_a_smaller_share() -> None:
    ran = sums(SUM_TRICKS["the tile is filled in one block of many"])
    assert flaw(ran, TechniqueCheck.USES_SHARED, at_least=0.1) is None


def test_a_tiled_product_uses_shared_memory_without_conflicts() -> None:
    ran = product(TILED_PRODUCT)
    assert flaw(ran, TechniqueCheck.USES_SHARED) is None
    assert flaw(ran, TechniqueCheck.NO_BANK_CONFLICTS) is None
    assert flaw(ran, TechniqueCheck.COALESCED) is None


def test_a_product_with_parts_of_sums_in_shared_memory_has_no_tile() -> None:
    body = (
        NAIVE_PRODUCT
        + """
    __shared__ float part[TILE][TILE];
    part[ty][tx] = s;
    __syncthreads();
    c[y * n + x] = part[ty][tx ^ 1] * 0.0f + part[ty][tx];"""
    )
    found = flaw(product(body), TechniqueCheck.USES_SHARED)
    assert found is not None
    assert found.code == "little-through-shared-memory"


def test_elements_that_only_change_threads_are_no_tile() -> None:
    body = """
    __shared__ volatile float as[TILE][TILE], bs[TILE][TILE];
    for (int p = 0; p < n; ++p) {
        as[ty][tx] = a[y * n + p];
        bs[ty][tx] = b[p * n + (x ^ 1)];
        __syncthreads();
        s += as[ty][tx ^ 1] * bs[ty][tx ^ 1];
        __syncthreads();
    }
    c[y * n + x] = s;"""
    found = flaw(product(body), TechniqueCheck.USES_SHARED)
    assert found is not None
    assert found.code == "little-through-shared-memory"


def test_conflicts_are_not_diluted_by_another_array() -> None:
    body = """
    __shared__ float tile[32][32];
    __shared__ float free[1024];
    float s = 0, zero = 0;
    for (int j = 0; j < cols; j += 32) {
        for (int r = 0; r < 32; ++r) tile[r][t] = a[(blockIdx.x * 32 + r) * cols + j + t];
        __syncthreads();
        for (int r = 0; r < 32; ++r) s += tile[t][r]; // conflict
        for (int r = 0; r < 32; ++r) { free[r * 32 + t] = s; zero += 0.0f * free[r * 32 + t]; }
        __syncthreads();
    }
    out[i] = s + zero;"""
    found = flaw(sums(body), TechniqueCheck.NO_BANK_CONFLICTS)
    assert found is not None
    assert (found.code, found.location is not None) == ("has-bank-conflicts", True)


def test_a_conflict_in_few_accesses_does_not_matter() -> None:
    body = SUMS["a padded tile"].replace(
        "    out[i] = s;", "    tile[t / 16][t % 16 * 2] = s;\n    out[i] = s;"
    )
    assert flaw(sums(body), TechniqueCheck.NO_BANK_CONFLICTS) is None


def test_a_histogram_in_shared_memory_uses_it() -> None:
    source = """
extern "C" __global__ void k(const int *x, int *bins, int n) {
    __shared__ int mine[64];
    if (threadIdx.x < 64) mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[x[i]], 1);
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
"""
    x = RNG.integers(0, 64, 8192, dtype=np.int32)
    ran = run_cuda(source, 4, 128, {"x": x, "bins": InOut(np.zeros(64, np.int32)), "n": 8192})
    assert flaw(ran, TechniqueCheck.USES_SHARED) is None


def test_results_that_leave_through_shared_memory_use_it() -> None:
    source = """
extern "C" __global__ void k(float *out, int n) {
    __shared__ float tile[3 * 128];
    int t = threadIdx.x;
    for (int k = 0; k < 3; ++k) tile[3 * t + k] = t + k;
    __syncthreads();
    for (int k = t; k < 3 * 128; k += 128) out[blockIdx.x * 3 * 128 + k] = tile[k];
}
"""
    ran = run_cuda(source, 4, 128, {"out": Out((1536,)), "n": 1536})
    assert flaw(ran, TechniqueCheck.USES_SHARED) is None


def test_idle_blocks_change_no_verdict() -> None:
    body = "    if (blockIdx.y) return;\n" + SUM_TRICKS["a dead store by one thread"]
    ran = sums(body, grid=8)
    assert flaw(ran, TechniqueCheck.USES_SHARED) is not None
    assert flaw(ran, TechniqueCheck.NO_SHARED) is not None


def test_coefficients_that_all_threads_load_are_no_loads_past_a_tile() -> None:
    size, reach = 66, 64
    source = f"""
    #define N {size}
    extern "C" __global__ void k(const float *a, const float *mask, float *out)
    {{
        __shared__ float tile[20][20];
        int x0 = blockIdx.x * 16, y0 = blockIdx.y * 16;
        for (int k = threadIdx.y * 16 + threadIdx.x; k < 400; k += 256) {{
            int y = y0 + k / 20, x = x0 + k % 20;
            tile[k / 20][k % 20] = y < N && x < N ? a[y * N + x] : 0;
        }}
        __syncthreads();
        float s = 0;
        for (int j = 0; j < 5; j++)
            for (int i = 0; i < 5; i++) s += mask[j * 5 + i] * tile[threadIdx.y + j][threadIdx.x + i];
        out[(y0 + threadIdx.y) * {reach} + x0 + threadIdx.x] = s;
    }}"""
    a, mask = RNG.random((size, size), np.float32), RNG.random((5, 5), np.float32)
    ran = run_cuda(
        source, Dim3(x=4, y=4), Dim3(x=16, y=16), {"a": a, "mask": mask, "out": Out((reach, reach))}
    )
    assert flaw(ran, TechniqueCheck.USES_SHARED) is None
