"""Kernels beyond plain arithmetic, with inputs and expected outputs, for the emulator and for a GPU."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.compile.toolkit_headers import toolkit_options
from grader.model.diagnostic import DiagnosticKind, Severity
from tools.emulator.compiling import Argument, InOut, Out, Ran, Scratch, ptx_of, run_ptx
from tools.messages import english

ABOUT_SPEED = {
    DiagnosticKind.UNCOALESCED,
    DiagnosticKind.BANK_CONFLICT,
    DiagnosticKind.ATOMIC_CONTENTION,
    DiagnosticKind.DIVERGENCE,
    DiagnosticKind.OCCUPANCY,
}
"""Performance findings, which do not affect correctness."""

I32, U32, F32, F16 = np.int32, np.uint32, np.float32, np.float16


@dataclass(frozen=True)
class SurfaceCase:
    """One launch of the ``extern "C"`` kernel ``run``. ``expected`` are the correct values by output.

    ``tolerance`` is the absolute error allowed, by output; 0 for outputs that it does not name.
    """

    name: str
    source: str
    grid: int
    block: int
    arguments: dict[str, Argument]
    expected: dict[str, NDArray[np.generic]]
    headers: bool = False
    tolerance: float = 0.0
    shared: int = 0

    @property
    def options(self) -> tuple[str, ...]:
        """Compiler options that the kernel needs."""
        return tuple(toolkit_options()) if self.headers else ()


def emulated(case: SurfaceCase) -> Ran:
    """Run ``case`` on the emulator."""
    ptx = ptx_of(case.source, *case.options)
    return run_ptx(ptx, "run", case.grid, case.block, case.arguments, shared=case.shared)


def complaints(ran: Ran) -> list[str]:
    """Findings of a run other than performance findings."""
    return [
        english(d.message)
        for d in ran.result.diagnostics
        if d.severity is not Severity.NOTE and d.kind not in ABOUT_SPEED
    ]


def function_table() -> SurfaceCase:
    source = """
typedef int (*Operation)(int, int);
__device__ int plus(int a, int b) { return a + b; }
__device__ int minus(int a, int b) { return a - b; }
__device__ int times(int a, int b) { return a * b; }
__device__ Operation table[3] = {plus, minus, times};
extern "C" __global__ void run(const int* which, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[which[i]](i, 3);
}
"""
    which = (np.arange(256) * 7 % 3).astype(I32)
    i = np.arange(256)
    expected = np.choose(which, [i + 3, i - 3, i * 3]).astype(I32)
    return SurfaceCase(
        "function table", source, 2, 128, {"which": which, "out": Out((256,), I32)}, {"out": expected}
    )


def virtual_functions() -> SurfaceCase:
    source = """
struct Shape { __device__ virtual float area() const = 0; __device__ virtual ~Shape() {} };
struct Square : Shape {
    float a;
    __device__ Square(float a) : a(a) {}
    __device__ float area() const override { return a * a; }
};
struct Strip : Shape {
    float a;
    __device__ Strip(float a) : a(a) {}
    __device__ float area() const override { return 2 * a; }
};
extern "C" __global__ void run(float* out) {
    Shape* shape;
    if (threadIdx.x % 2) shape = new Square((float)threadIdx.x);
    else shape = new Strip((float)threadIdx.x);
    out[threadIdx.x] = shape->area();
    delete shape;
}
"""
    i = np.arange(64, dtype=F32)
    expected = np.where(np.arange(64) % 2, i * i, 2 * i).astype(F32)
    return SurfaceCase("virtual functions and new", source, 1, 64, {"out": Out((64,))}, {"out": expected})


def recursion() -> SurfaceCase:
    source = """
__device__ __noinline__ int ways(int n) { return n < 2 ? 1 : ways(n - 1) + ways(n - 2); }
extern "C" __global__ void run(int* out) { out[threadIdx.x] = ways(threadIdx.x % 13); }
"""
    ways = [1, 1]
    while len(ways) < 13:
        ways.append(ways[-1] + ways[-2])
    expected = np.array([ways[i % 13] for i in range(64)], I32)
    return SurfaceCase("recursion", source, 1, 64, {"out": Out((64,), I32)}, {"out": expected})


def linked_lists() -> SurfaceCase:
    source = """
struct Node { int value; Node* next; };
extern "C" __global__ void run(int* out, int n) {
    Node* first = nullptr;
    for (int i = 0; i < n + (int)threadIdx.x % 3; ++i) {
        Node* node = (Node*)malloc(sizeof(Node));
        node->value = i * (int)threadIdx.x;
        node->next = first;
        first = node;
    }
    int sum = 0;
    while (first) {
        Node* next = first->next;
        sum += first->value;
        free(first);
        first = next;
    }
    out[threadIdx.x] = sum;
}
"""
    expected = np.array([t * sum(range(10 + t % 3)) for t in range(64)], I32)
    return SurfaceCase(
        "linked lists on the heap", source, 1, 64, {"out": Out((64,), I32), "n": 10}, {"out": expected}
    )


_WMMA = """
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void run(
    const unsigned* a_bits, const unsigned* b_bits, {result}* c, {result}* d, int lda, int ldb
) {{
    const {element}* a = (const {element}*)a_bits;
    const {element}* b = (const {element}*)b_bits;
    wmma::fragment<wmma::matrix_a, {m}, {n}, 16, {element}, wmma::{a_layout}_major> left;
    wmma::fragment<wmma::matrix_b, {m}, {n}, 16, {element}, wmma::{b_layout}_major> right;
    wmma::fragment<wmma::accumulator, {m}, {n}, 16, {result}> sum;
    wmma::load_matrix_sync(sum, c, {n}, wmma::mem_row_major);
    for (int step = 0; step < 2; ++step) {{
        wmma::load_matrix_sync(left, a + step * 16 * {a_step}, lda);
        wmma::load_matrix_sync(right, b + step * 16 * {b_step}, ldb);
        wmma::mma_sync(sum, left, right, sum);
    }}
    for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = sum.x[i] * ({result})2;
    wmma::store_matrix_sync(d, sum, {d_stride}, wmma::mem_{d_layout}_major);
}}
"""


def wmma(m: int, n: int, a_layout: str, b_layout: str, d_layout: str, element: str = "__half") -> SurfaceCase:
    """``d = 2 (a b + c)`` with 32 inner elements, in two steps of 16."""
    is_half = element == "__half"
    dtype = {"__half": F16, "signed char": np.int8, "unsigned char": np.uint8}[element]
    rng = np.random.default_rng(m * n)
    low, high = (0, 255) if dtype is np.uint8 else (-128, 127)
    left = rng.integers(low, high, (m, 32)) / (64 if is_half else 1)
    right = rng.integers(low, high, (32, n)) / (64 if is_half else 1)
    start = rng.integers(-50, 50, (m, n)).astype(F32 if is_half else I32)
    a, b = left.astype(dtype), right.astype(dtype)
    product = 2 * (a.astype(np.float64) @ b.astype(np.float64) + start)
    memory_a = a if a_layout == "row" else a.T
    memory_b = b if b_layout == "row" else b.T
    memory_d = (product if d_layout == "row" else product.T).astype(start.dtype)
    source = _WMMA.format(
        m=m,
        n=n,
        element=element,
        result="float" if is_half else "int",
        a_layout=a_layout,
        b_layout=b_layout,
        d_layout="row" if d_layout == "row" else "col",
        a_step="1" if a_layout == "row" else "lda",
        b_step="ldb" if b_layout == "row" else "1",
        d_stride=n if d_layout == "row" else m,
    )
    scale = np.abs(a.astype(np.float64)) @ np.abs(b.astype(np.float64)) + np.abs(start)
    return SurfaceCase(
        f"wmma m{m}n{n}k16 {element} {a_layout} {b_layout} {d_layout}",
        source,
        1,
        32,
        {
            "a": np.ascontiguousarray(memory_a).view(U32),
            "b": np.ascontiguousarray(memory_b).view(U32),
            "c": start,
            "d": Out(memory_d.shape, start.dtype),
            "lda": memory_a.shape[1],
            "ldb": memory_b.shape[1],
        },
        {"d": memory_d},
        headers=True,
        tolerance=float(4 * scale.max() * WMMA_BOUND) if is_half else 0.0,
    )


WMMA_BOUND = 2.0**-18
"""Error of one step relative to the sum of magnitudes, two steps, doubled; docs/contributor/emulator-inside.md."""


def wmma_half_accumulator() -> SurfaceCase:
    source = """
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void run(const float* a, const float* b, float* d) {
    __shared__ __align__(32) __half left[256], right[256], result[256];
    for (int i = threadIdx.x; i < 256; i += 32) { left[i] = __float2half(a[i]); right[i] = __float2half(b[i]); }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> y;
    wmma::fragment<wmma::accumulator, 16, 16, 16, __half> z;
    wmma::fill_fragment(z, __float2half(0.5f));
    wmma::load_matrix_sync(x, left, 16);
    wmma::load_matrix_sync(y, right, 16);
    wmma::mma_sync(z, x, y, z);
    wmma::store_matrix_sync(result, z, 16, wmma::mem_col_major);
    __syncwarp();
    for (int i = threadIdx.x; i < 256; i += 32) d[i] = __half2float(result[i]);
}
"""
    rng = np.random.default_rng(5)
    a, b = (rng.integers(-8, 8, (16, 16)).astype(F32) / 8 for _ in range(2))
    expected = (a @ b + F32(0.5)).T.astype(F16).astype(F32)
    return SurfaceCase(
        "wmma with float16 sums",
        source,
        1,
        32,
        {"a": a, "b": b, "d": Out((16, 16))},
        {"d": expected},
        headers=True,
    )


def matrices_from_shared_memory(*, transposed: bool) -> SurfaceCase:
    source = """
extern "C" __global__ void run(const unsigned* x, unsigned* out) {
    __shared__ __align__(16) unsigned tile[128];
    for (int i = threadIdx.x; i < 128; i += 32) tile[i] = x[i];
    __syncwarp();
    unsigned at = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x * 4);
    unsigned a, b, c, d;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4MODE.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at));
    unsigned* mine = out + threadIdx.x * 4;
    mine[0] = a; mine[1] = b; mine[2] = c; mine[3] = d;
}
"""
    x = np.arange(256, dtype=np.uint16) * 3
    matrices = x.reshape(4, 8, 8)
    given = np.stack([m.T if transposed else m for m in matrices]).reshape(4, 32, 2)
    expected = np.ascontiguousarray(given.transpose(1, 0, 2)).view(U32).reshape(128)
    return SurfaceCase(
        f"ldmatrix{' transposed' if transposed else ''}",
        source.replace("MODE", ".trans" if transposed else ""),
        1,
        32,
        {"x": x.view(U32), "out": Out((128,), U32)},
        {"out": expected},
    )


def small_atomics() -> SurfaceCase:
    source = """
#include <cuda_fp16.h>
extern "C" __global__ void run(unsigned* halves, unsigned* words) {
    atomicAdd((__half2*)halves, __floats2half2_rn(1.0f, 0.5f));
    atomicAdd((__half*)(halves + 1), __float2half(2.0f));
    unsigned short* at = (unsigned short*)words + threadIdx.x % 2;
    unsigned short old = 0, seen;
    do { seen = old; old = atomicCAS(at, seen, (unsigned short)(seen + threadIdx.x)); } while (old != seen);
}
"""
    halves = np.array([0, 0, 3, 9], F16)
    sums = np.array([32, 16, 3 + 64, 9], F16)
    words = np.array([5, 6], np.uint16)
    totals = np.array([5 + sum(range(0, 32, 2)), 6 + sum(range(1, 32, 2))], np.uint16)
    return SurfaceCase(
        "float16 and 16-bit atomics",
        source,
        1,
        32,
        {"halves": InOut(halves.view(U32)), "words": InOut(words.view(U32))},
        {"halves": sums.view(U32), "words": totals.view(U32)},
        headers=True,
    )


def tiles() -> SurfaceCase:
    source = """
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void run(const int* x, int* out) {
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int i = block.thread_rank();
    int sum = x[i];
    for (int d = tile.size() / 2; d > 0; d /= 2) sum += tile.shfl_xor(sum, d);
    out[i] = sum + 1000 * tile.any(x[i] == 17) + 10000 * tile.thread_rank();
    block.sync();
    auto warp = cg::tiled_partition<32>(block);
    out[64 + i] = cg::reduce(warp, x[i], cg::greater<int>());
    if (x[i] % 3 == 0) {
        auto here = cg::coalesced_threads();
        out[128 + i] = 100 * here.size() + here.thread_rank();
    } else {
        out[128 + i] = -1;
    }
}
"""
    x = (np.arange(64) * 37 % 64).astype(I32)
    groups = x.reshape(8, 8)
    first = np.repeat(groups.sum(axis=1) + 1000 * (groups == 17).any(axis=1), 8) + 10000 * (np.arange(64) % 8)
    second = np.repeat(x.reshape(2, 32).max(axis=1), 32)
    third = np.full(64, -1)
    for warp in range(2):
        members = [i for i in range(32 * warp, 32 * warp + 32) if x[i] % 3 == 0]
        for rank, i in enumerate(members):
            third[i] = 100 * len(members) + rank
    expected = np.concatenate([first, second, third]).astype(I32)
    return SurfaceCase(
        "cooperative groups",
        source,
        1,
        64,
        {"x": x, "out": Out((192,), I32)},
        {"out": expected},
        headers=True,
    )


def block_wide_answers() -> SurfaceCase:
    source = """
extern "C" __global__ void run(const int* x, int* out) {
    int i = threadIdx.x;
    out[i] = __syncthreads_count(x[i] > 10) + 1000 * (__syncthreads_and(x[i] >= 0) != 0)
        + 2000 * (__syncthreads_or(x[i] == 95) != 0);
    if (i < 64) { asm volatile("bar.sync 1, 64;"); out[i] += 10000; } else { asm volatile("barrier.sync 2, 32;"); }
}
"""
    x = np.arange(96, dtype=I32)
    expected = (85 + 3000 + np.where(np.arange(96) < 64, 10000, 0)).astype(I32)
    return SurfaceCase(
        "barriers with answers", source, 1, 96, {"x": x, "out": Out((96,), I32)}, {"out": expected}
    )


GRID_SYNC = """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void run(int* x, int* out, int n) {
    auto grid = cg::this_grid();
    int i = (int)grid.thread_rank();
    x[i] = i;
    grid.sync();
    out[i] = x[(i + 100) % n];
}
"""


def grid_barrier() -> SurfaceCase:
    return SurfaceCase(
        "barrier of the grid",
        GRID_SYNC,
        4,
        64,
        {"x": Scratch((256,), I32), "out": Out((256,), I32), "n": 256},
        {"out": np.roll(np.arange(256, dtype=I32), -100)},
        headers=True,
    )


_MAKERS: tuple[Callable[[], SurfaceCase], ...] = (
    function_table,
    virtual_functions,
    recursion,
    linked_lists,
    lambda: wmma(16, 16, "row", "col", "row"),
    lambda: wmma(16, 16, "col", "row", "col"),
    lambda: wmma(32, 8, "row", "row", "row"),
    lambda: wmma(8, 32, "col", "col", "col"),
    lambda: wmma(16, 16, "row", "col", "row", "signed char"),
    lambda: wmma(32, 8, "row", "col", "col", "unsigned char"),
    wmma_half_accumulator,
    lambda: matrices_from_shared_memory(transposed=False),
    lambda: matrices_from_shared_memory(transposed=True),
    small_atomics,
    tiles,
    block_wide_answers,
    grid_barrier,
)


def surface_cases() -> Iterator[SurfaceCase]:
    """All cases of this module."""
    for make in _MAKERS:
        yield make()
