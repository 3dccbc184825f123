"""Half precision in whole kernels; single operations are compared with hardware in ``test_golden``."""

from typing import Any

import numpy as np
from numba import cuda

from grader.compile.toolkit_headers import toolkit_options
from grader.model.verdict import Verdict
from tools.emulator.compiling import Out, ptx_of, run_numba, run_ptx
from tools.messages import params

PAIRS = """
#include <cuda_fp16.h>
extern "C" __global__ void dot(const unsigned *a, const unsigned *b, float *out, int n)
{
    int t = threadIdx.x;
    __half2 sum = __float2half2_rn(0.0f);
    for (int i = 0; i < n; i++) {
        __half2 x = *(const __half2 *)(a + i * 64 + t), y = *(const __half2 *)(b + i * 64 + t);
        sum = __hfma2(x, y, sum);
    }
    out[t] = __low2float(sum) + __high2float(sum);
}
"""


def test_sums_of_products_of_pairs_are_numpys_to_the_last_bit() -> None:
    a, b = np.random.default_rng(50).standard_normal((2, 64, 128)).astype(np.float16)
    ran = run_ptx(
        ptx_of(PAIRS, *toolkit_options()),
        "dot",
        1,
        64,
        {"a": a.view(np.uint32), "b": b.view(np.uint32), "out": Out((64,)), "n": 64},
    )
    total = np.zeros(128, np.float16)
    for x, y in zip(a, b, strict=True):
        total = (x.astype(np.float64) * y + total).astype(np.float16)
    assert np.array_equal(ran["out"], total.reshape(64, 2).astype(np.float32).sum(axis=1))


def test_float16_in_numba_names_the_missing_library() -> None:
    def multiply(a: Any, b: Any, out: Any) -> None:
        i = cuda.grid(1)
        if i < out.size:
            out[i] = np.float32(np.float16(a[i]) * np.float16(b[i]))

    a = np.ones(32, np.float32)
    ran = run_numba(multiply, 1, 32, {"a": a, "b": a, "out": Out((32,))})
    assert ran.fault is not None
    assert ran.fault.verdict is Verdict.NOT_GRADABLE
    assert "half" in str(params(ran.fault.reason, "unsupported-call")["what"])
