"""Access is coalesced if the bytes that move are used, array by array; tricks earn nothing."""

import numpy as np
import pytest

from grader.labs.manifest import TechniqueCheck
from tests.judge.technique_kernels import BLOCK_SUMS, NAIVE_PRODUCT, RNG, ROWS, flaw, product, sums
from tools.emulator.compiling import InOut, Out, Ran, line_of, run_cuda

COALESCED = {
    "in order": "out[i] = x[i];",
    "in another order within each warp": "out[i ^ 5] = x[i ^ 5];",
    "one sector off": "if (i + 1 < n) out[i + 1] = x[i + 1]; if (i == 0) out[0] = x[0];",
    "vectors of four": "if (i < n / 4) ((float4 *)out)[i] = ((const float4 *)x)[i];",
}

SMALL = {
    "reversed": "if (i < n) out[i] = x[n - 1 - i];",
    "shifted": "if (i < n) out[(i + 3) % n] = x[(i + 3) % n];",
}

SCATTERED = {
    "each thread eight neighbours": """
    if (i < n / 8) for (int k = 0; k < 8; ++k) out[8 * i + k] = x[8 * i + k];""",
    "stores one lane at a time": """
    float v = x[i];
    for (int lane = 0; lane < 32; ++lane) { __syncwarp(); if (threadIdx.x % 32 == lane) out[i] = v; }""",
    "loads one lane at a time": """
    float v = 0;
    for (int lane = 0; lane < 32; ++lane) if (threadIdx.x % 32 == lane) v = ((volatile const float *)x)[i];
    out[i] = v;""",
    "stores of two words by a whole warp": """
    float v = x[i];
    for (int k = 0; k < 32; k += 2) {
        int from = k + threadIdx.x % 2;
        float w = __shfl_sync(0xffffffffu, v, from);
        ((volatile float *)out)[i / 32 * 32 + from] = w;
    }""",
    "dummy loads on the line of the bad ones": """
    int j = (i % 64) * (n / 64) + i / 64;
    float z = 0;
    for (int k = 0; k < 5; ++k) z += ((volatile const float *)x)[k ? i : j] * (k ? 0.0f : 1.0f);
    out[j] = z;""",
    "dummy stores on the line of the bad ones": """
    int j = (i % 64) * (n / 64) + i / 64;
    float v = x[j];
    for (int k = 0; k < 5; ++k) ((volatile float *)(k == 4 ? out : scratch))[k == 4 ? j : i] = v;""",
    "dummy accesses of another array": """
    int j = (i % 64) * (n / 64) + i / 64;
    float z = 0;
    for (int k = 0; k < 20; ++k) z += 0.0f * ((volatile float *)scratch)[i];
    out[j] = x[j] + z;""",
}


def moved(body: str, n: int = 4096) -> Ran:
    """A kernel that moves ``x`` to ``out``."""
    source = (
        'extern "C" __global__ void k(const float *x, float *out, float *scratch, int n) {\n'
        f"    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    {body}\n}}\n"
    )
    x = RNG.random(n, dtype=np.float32)
    scratch = InOut(np.ones(n, np.float32))
    ran = run_cuda(source, -(-n // 256), 256, {"x": x, "out": Out((n,)), "scratch": scratch, "n": n})
    assert np.array_equal(np.sort(ran["out"]), np.sort(x))
    return ran


@pytest.mark.parametrize("body", SMALL.values(), ids=SMALL)
@pytest.mark.parametrize("n", [1, 31, 33, 100, 1003])
def test_the_ends_of_a_small_array_do_not_matter(body: str, n: int) -> None:
    assert flaw(moved(body, n), TechniqueCheck.COALESCED) is None


@pytest.mark.parametrize("body", COALESCED.values(), ids=COALESCED)
def test_a_copy_is_coalesced_if_the_bytes_that_move_are_used(body: str) -> None:
    assert flaw(moved(body), TechniqueCheck.COALESCED) is None


@pytest.mark.parametrize("body", SCATTERED.values(), ids=SCATTERED)
def test_a_copy_that_moves_bytes_in_vain_is_not_coalesced(body: str) -> None:
    assert flaw(moved(body), TechniqueCheck.COALESCED) is not None


def test_the_reason_names_the_array_and_the_line_of_its_stores() -> None:
    source = """
extern "C" __global__ void k(const float *x, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i];
    for (int lane = 0; lane < 32; ++lane) {
        __syncwarp();
        if (threadIdx.x % 32 == lane)
            out[i] = v; // store
    }
}
"""
    x = RNG.random(4096, dtype=np.float32)
    found = flaw(
        run_cuda(source, 16, 256, {"x": x, "out": Out((4096,)), "n": 4096}), TechniqueCheck.COALESCED
    )
    assert found is not None
    assert (found.code, found.params["array"], found.params["share"]) == ("stores-in-vain", "out", 12.5)
    assert found.location is not None
    assert found.location.line == line_of(source, "// store")


def test_a_naive_product_is_coalesced_with_rows_that_a_warp_shares() -> None:
    assert flaw(product(NAIVE_PRODUCT + "    c[y * n + x] = s;", tile=32), TechniqueCheck.COALESCED) is None


def test_a_result_for_each_row_does_not_make_a_kernel_scattered() -> None:
    assert (
        flaw(sums(BLOCK_SUMS["a tree over the block"], grid=ROWS, block=128), TechniqueCheck.COALESCED)
        is None
    )
