"""The engine's own kernels: what is done to a GPU's memory beside a student's launches, without moving it."""

from typing import Any

import numpy as np

from grader.engines.cuda.status import checked
from grader.model.kernel import DType

_THREADS = 256
_MOST_BLOCKS = 4096

_SOURCE = """
typedef unsigned long long u64;

// Steele, Lea and Flood's SplitMix: every bit of a counter decides over every bit of the result.
__device__ u64 mixed(u64 z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

#define EACH(i, count) \\
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x)

#define DRAW(TYPE) \\
    extern "C" __global__ void draw_##TYPE(const TYPE *from, TYPE *to, u64 count, u64 seed) \\
    { \\
        EACH(i, count) to[i] = from[__umul64hi(mixed(seed + (i + 1) * 0x9e3779b97f4a7c15ull), count)]; \\
    }

// CuPy has the compiler flush subnormal numbers to zero where it may; it may not here.
__device__ double wide(float x) { double y; asm("cvt.f64.f32 %0, %1;" : "=d"(y) : "f"(x)); return y; }
__device__ double wide(double x) { return x; }

#define COUNT(TYPE, BITS) \\
    extern "C" __global__ void differing_##TYPE(const TYPE *left, const TYPE *right, u64 count, double allowed, \\
                                                u64 *found) \\
    { \\
        u64 mine = 0; \\
        EACH(i, count) \\
            if (((const BITS *)left)[i] != ((const BITS *)right)[i] && \\
                !(fabs(wide(left[i]) - wide(right[i])) <= allowed)) \\
                mine++; \\
        if (mine) atomicAdd(found, mine); \\
    }

typedef long long i64;
DRAW(int)
DRAW(i64)
COUNT(float, int)
COUNT(double, i64)

// Of integers every bit counts: as numbers of 64 bits two of them may be one double.
#define COUNT_INTEGERS(TYPE) \\
    extern "C" __global__ void differing_##TYPE(const TYPE *left, const TYPE *right, u64 count, double, u64 *found) \\
    { \\
        u64 mine = 0; \\
        EACH(i, count) if (left[i] != right[i]) mine++; \\
        if (mine) atomicAdd(found, mine); \\
    }

COUNT_INTEGERS(int)
COUNT_INTEGERS(i64)
"""

_FLOATS = {DType.FLOAT32: "float", DType.FLOAT64: "double"}
_BITS = {4: "int", 8: "i64"}


class TrustedKernels:
    """Kernels on the default stream of the current device; addresses are the device's.

    Raises (every method): as ``status.checked``.
    """

    def __init__(self, cupy: Any) -> None:
        self._cupy = cupy
        with checked(cupy):
            self._module = cupy.RawModule(code=_SOURCE)
            self._found = cupy.zeros(1, np.uint64)

    def draw(self, source: int, target: int, dtype: DType, count: int, seed: int) -> None:
        """Fill ``target`` with elements of ``source``, both of ``count`` elements, drawn with repetition from a seed.

        The seed has 64 bits; the same one gives the same elements. Queued, not waited for.
        """
        name = f"draw_{_BITS[dtype.numpy.itemsize]}"
        self._launch(name, count, np.uint64(source), np.uint64(target), np.uint64(count), np.uint64(seed))

    def differing(self, left: int, right: int, dtype: DType, count: int, allowed: float) -> int:
        """As ``while_timed.differing``, of two arrays on the device."""
        name = f"differing_{_FLOATS.get(dtype, _BITS[dtype.numpy.itemsize])}"
        with checked(self._cupy):
            self._found.fill(0)
        arrays = (np.uint64(left), np.uint64(right), np.uint64(count))
        self._launch(name, count, *arrays, np.float64(allowed), np.uint64(self._found.data.ptr))
        with checked(self._cupy):
            return int(self._found.get()[0])

    def _launch(self, name: str, count: int, *arguments: np.generic) -> None:
        blocks = min(_MOST_BLOCKS, max(1, -(-count // _THREADS)))
        with checked(self._cupy):
            self._module.get_function(name)((blocks,), (_THREADS,), arguments)
