"""The fuzzer's corpus: kernels of the test suite, and every rung, mutant and sample submission in both languages."""

import random
import re
from dataclasses import dataclass

from grader.model.element_types import DType
from grader.model.kernel import Param
from grader.model.module import Abi, BuiltKernel, DeviceModule
from tests.engines.little_kernels import little_kernels
from tools.emulator.compiling import CUDA_FILE, RESOURCES, ptx_of
from tools.emulator.kernels import MATMUL, REDUCTIONS, ROW_SUM_SHARED, TILED, TRANSPOSE
from tools.shipped_submissions import built, shipped_submissions

_MATRICES = ("float32 a[n][n]", "float32 b[n][n]", "float32 c[n][n]", "int32 m", "int32 k", "int32 n")
_ROWS = ("float32 a[n][n]", "float32 b[n][n]", "int32 m", "int32 n")
_VECTORS = ("float32 x[n]", "float32 y[n]", "int32 n")

CALLS = """
__device__ int table[4] = {1, 2, 3, 5};
__device__ __noinline__ int depth(int n) { return n <= 0 ? table[threadIdx.x & 3] : depth(n - 1) + n; }
__device__ __noinline__ int twice(int n) { return 2 * n; }
__device__ __noinline__ int less(int n) { return n - 1; }
extern "C" __global__ void calls(float* x, float* y, int n) {
    int (*chosen)(int) = n & 1 ? twice : less;
    int local[8];
    for (int i = 0; i < 8; ++i) local[i] = i * n;
    switch (n & 7) {
        case 0: y[0] = 1; break; case 1: y[1] = 3; break; case 2: y[2] = 9; break; case 3: y[0] = 7; break;
        case 4: y[3] = 8; break; case 5: y[5] = 2; break; default: y[threadIdx.x] = local[(n + threadIdx.x) & 7];
    }
    x[threadIdx.x] = depth(n & 15) + chosen(n) + __popc(__ballot_sync(0xffffffffu, n > threadIdx.x))
        + __match_any_sync(__activemask(), n & 3) + atomicCAS((int*)y, n, 3) + __syncthreads_count(n > 2)
        + (n / (int)(threadIdx.x - 3)) + (long long)n % (long long)(threadIdx.x - 5) + (int)(1e20f * n) + (1 << n);
    volatile double wide = n;
    y[1] = (float)(long long)(wide * 1e300) + __double2int_rz(wide / 0.0) + clock64() + rsqrtf(n) + sinf(n);
    if (n == 77) { void* p = malloc(n); free(p); __trap(); }
}
"""

KERNELS = {
    "matmul": (MATMUL, _MATRICES),
    "tiled": (TILED.replace("matmul", "tiled").replace("PAD", "1"), _MATRICES),
    "transpose": (TRANSPOSE, _ROWS),
    "row_sum": (ROW_SUM_SHARED, _ROWS),
    "calls": (CALLS, _VECTORS),
}
"""Sources and parameters. ``calls`` has rarer features: recursion, pointers, a switch, odd arithmetic."""


@dataclass(frozen=True)
class Specimen:
    """A kernel and its translation unit."""

    name: str
    ptx: str
    kernel: BuiltKernel


def corpus(*, everything: bool) -> list[Specimen]:
    """The test suite's kernels; with ``everything`` also those of all submissions, which take a minute to build."""
    found = [_compiled(name, *each) for name, each in KERNELS.items()]
    found += [_compiled("reduce", source, _VECTORS) for source in REDUCTIONS.values()]
    found += _of("little kernels", little_kernels())
    if everything:
        for submission in shipped_submissions():
            module = built(submission, "sm_75").module
            found += _of(str(submission), module) if module is not None else []
    return found


def words_of(specimens: list[Specimen], rng: random.Random) -> list[str]:
    """Lines of all specimens, a source of words for mutations."""
    lines = sorted({line for specimen in specimens for line in specimen.ptx.split("\n") if line.strip()})
    rng.shuffle(lines)
    return lines


def _compiled(name: str, source: str, params: tuple[str, ...]) -> Specimen:
    kernel = BuiltKernel(
        name=name,
        symbol=name,
        unit=0,
        abi=Abi.C,
        params=tuple(Param.parse(param) for param in params),
        resources=RESOURCES,
        file=CUDA_FILE,
    )
    return Specimen(name, ptx_of(source), kernel)


def _of(name: str, module: DeviceModule) -> list[Specimen]:
    return [
        Specimen(f"{name}: {kernel.name}", alone(module.units[kernel.unit].ptx, kernel.symbol), kernel)
        for kernel in module.kernels
    ]


def alone(ptx: str, symbol: str) -> str:
    """``ptx`` without the other kernels of its unit, which would only take time to parse."""
    return _ENTRY.sub(lambda match: match[0] if match[1] == symbol else "", ptx)


_ENTRY = re.compile(r"^(?:\.\w+ )*\.entry (\w+)\(.*?^}\n", re.MULTILINE | re.DOTALL)
"""A kernel as compilers write it: the first brace at the start of a line closes it."""


WILD_POINTER = Param(name="wild", dtype=DType.UINT64)
"""Parameter that replaces an array, so that any number can be its address."""
