"""Kernels that sum rows or multiply matrices, and the technique that they are found to use."""

from typing import Any

import numpy as np

from grader.judge.technique import Evidence, technique_flaw
from grader.labs.manifest import TechniqueCheck, TechniqueRule
from grader.model.plan import Dim3
from grader.model.reason import Reason
from tools.emulator.compiling import Out, Ran, run_cuda

ROWS, COLS, N = 256, 128, 64
RNG = np.random.default_rng(5)
MATRIX = RNG.random((ROWS, COLS), dtype=np.float32)
SQUARE = RNG.random((N, N), dtype=np.float32)
HELPERS = """
#define FULL 0xffffffffu
__device__ float row_of(const float *a, int row, int cols) {
    float s = 0;
    for (int j = 0; j < cols; ++j) s += a[row * cols + j]; // direct
    return s;
}
"""


def flaw(ran: Ran, check: TechniqueCheck, at_least: float | None = None) -> Reason | None:
    assert ran.fault is None, ran.fault
    rule = TechniqueRule(kernel="k", check=check, points=1, at_least=at_least)
    counters = ran.result.counters
    evidence = Evidence(shared_bytes=counters[0].shared_bytes, counters=counters, case="medium")
    return technique_flaw(rule, evidence)


def sums(body: str, grid: int = 8, block: Dim3 | int = 32) -> Ran:
    """A kernel that writes the sum of each row of ``a`` into ``out``."""
    source = (
        HELPERS
        + 'extern "C" __global__ void k(const float *a, float *out, int rows, int cols) {\n'
        + f"    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n{body}\n}}\n"
    )
    ran = run_cuda(source, grid, block, {"a": MATRIX, "out": Out((ROWS,)), "rows": ROWS, "cols": COLS})
    assert np.allclose(ran["out"], MATRIX.sum(axis=1), rtol=1e-4)
    return ran


def product(body: str, tile: int = 16) -> Ran:
    """A kernel that writes the product of two square matrices."""
    source = (
        f"#define TILE {tile}\n"
        'extern "C" __global__ void k(const float *a, const float *b, float *c, int n) {\n'
        "    int tx = threadIdx.x, ty = threadIdx.y;\n"
        f"    int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;\n    float s = 0;\n{body}\n}}\n"
    )
    blocks = N // tile
    arguments: dict[str, Any] = {"a": SQUARE, "b": SQUARE, "c": Out((N, N)), "n": N}
    ran = run_cuda(source, Dim3(x=blocks, y=blocks), Dim3(x=tile, y=tile), arguments)
    assert np.allclose(ran["c"], SQUARE @ SQUARE, rtol=1e-3)
    return ran


NAIVE_PRODUCT = "    for (int p = 0; p < n; ++p) s += a[y * n + p] * b[p * n + x]; // direct\n"

TILED_PRODUCT = """
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    for (int p = 0; p < n; p += TILE) {
        as[ty][tx] = a[y * n + p + tx];
        bs[ty][tx] = b[(p + ty) * n + x];
        __syncthreads();
        for (int q = 0; q < TILE; ++q) s += as[ty][q] * bs[q][tx];
        __syncthreads();
    }
    c[y * n + x] = s;
"""


SUMS = {
    "a padded tile": """
    __shared__ float tile[32][33];
    float s = 0;
    for (int j = 0; j < cols; j += 32) {
        for (int r = 0; r < 32; ++r) tile[r][t] = a[(blockIdx.x * 32 + r) * cols + j + t];
        __syncthreads();
        for (int r = 0; r < 32; ++r) s += tile[t][r];
        __syncthreads();
    }
    out[i] = s;""",
    "a tile in dynamic steps of vectors": """
    __shared__ float4 tile[32][9];
    float s = 0;
    for (int j = 0; j < cols; j += 32) {
        for (int r = t / 8; r < 32; r += 4)
            tile[r][t % 8] = *(const float4 *)(a + (blockIdx.x * 32 + r) * cols + j + 4 * (t % 8));
        __syncthreads();
        for (int q = 0; q < 8; ++q) { float4 v = tile[t][q]; s += v.x + v.y + v.z + v.w; }
        __syncthreads();
    }
    out[i] = s;""",
}

BLOCK_SUMS = {
    "a tree over the block": """
    __shared__ float part[128];
    part[t] = a[blockIdx.x * cols + t];
    for (int k = 64; k > 0; k /= 2) { __syncthreads(); if (t < k) part[t] += part[t + k]; }
    if (t == 0) out[blockIdx.x] = part[0];""",
    "shuffles, and four words in shared memory": """
    __shared__ float part[4];
    float s = a[blockIdx.x * cols + t];
    for (int k = 16; k > 0; k /= 2) s += __shfl_xor_sync(FULL, s, k);
    if (t % 32 == 0) part[t / 32] = s;
    __syncthreads();
    if (t == 0) out[blockIdx.x] = part[0] + part[1] + part[2] + part[3];""",
    "atomic additions in shared memory": """
    __shared__ float total;
    if (t == 0) total = 0;
    __syncthreads();
    atomicAdd(&total, a[blockIdx.x * cols + t]);
    __syncthreads();
    if (t == 0) out[blockIdx.x] = total;""",
}

TRANSPOSITIONS = {
    "row by row": """
    __shared__ float tile[32][33];
    for (int r = y; r < 32; r += 8) tile[r][x] = a[(by + r) * n + bx + x];
    __syncthreads();
    for (int r = y; r < 32; r += 8) b[(bx + r) * n + by + x] = tile[x][r];""",
    "all loads before the first store": """
    __shared__ float tile[32][33];
    float kept[4];
    for (int k = 0; k < 4; ++k) kept[k] = a[(by + y + 8 * k) * n + bx + x];
    for (int k = 0; k < 4; ++k) tile[y + 8 * k][x] = kept[k];
    __syncthreads();
    for (int r = y; r < 32; r += 8) b[(bx + r) * n + by + x] = tile[x][r];""",
    "one warp of many loads": """
    __shared__ float tile[32][33];
    float kept[32];
    if (y == 0) {
        for (int r = 0; r < 32; ++r) kept[r] = a[(by + r) * n + bx + x];
        for (int r = 0; r < 32; ++r) tile[r][x] = kept[r];
    }
    __syncthreads();
    for (int r = y; r < 32; r += 8) b[(bx + r) * n + by + x] = tile[x][r];""",
    "vectors": """
    __shared__ float tile[32][33];
    float4 v = *(const float4 *)(a + (by + y * 4 + x / 8) * n + bx + x % 8 * 4);
    float *row = tile[y * 4 + x / 8] + x % 8 * 4;
    row[0] = v.x; row[1] = v.y; row[2] = v.z; row[3] = v.w;
    __syncthreads();
    for (int r = y; r < 32; r += 8) b[(bx + r) * n + by + x] = tile[x][r];""",
}
