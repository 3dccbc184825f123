"""The kernels of the courses, in CUDA C, against NumPy."""

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.model.diagnostic import Severity
from grader.model.plan import Dim3
from tools.emulator.compiling import InOut, Out, Ran, run_cuda
from tools.emulator.kernels import MATMUL, REDUCTIONS, ROW_SUM_GLOBAL, ROW_SUM_SHARED, TILED, TRANSPOSE

GRID_16 = Dim3(x=3, y=3)
BLOCK_16 = Dim3(x=16, y=16)
RNG = np.random.default_rng(7)


def matrix(*shape: int) -> NDArray[np.float32]:
    return RNG.standard_normal(shape).astype(np.float32)


def spotless(ran: Ran) -> bool:
    """Check that a run has no findings other than performance findings."""
    return all(
        diagnostic.severity is Severity.NOTE
        or diagnostic.kind.value in {"uncoalesced access", "bank conflict"}
        for diagnostic in ran.result.diagnostics
    )


@pytest.mark.parametrize(
    "source", [MATMUL, TILED.replace("PAD", "0"), TILED.replace("PAD", "1")], ids=["naive", "tiled", "padded"]
)
def test_matrix_products_are_right(source: str) -> None:
    a, b = matrix(33, 17), matrix(17, 41)
    ran = run_cuda(source, GRID_16, BLOCK_16, {"a": a, "b": b, "c": Out((33, 41)), "m": 33, "k": 17, "n": 41})
    assert np.allclose(ran["c"], a.astype(float) @ b, rtol=1e-5, atol=1e-5)
    assert spotless(ran)


def test_a_matrix_is_transposed_through_a_padded_tile() -> None:
    a = matrix(37, 45)
    ran = run_cuda(
        TRANSPOSE, Dim3(x=2, y=2), Dim3(x=32, y=32), {"in": a, "out": Out((45, 37)), "rows": 37, "cols": 45}
    )
    assert np.array_equal(ran["out"], a.T)
    assert spotless(ran)
    assert ran.counters.bank_conflicts == 0


@pytest.mark.parametrize(
    ("source", "grid"), [(ROW_SUM_GLOBAL, 1), (ROW_SUM_SHARED, 70)], ids=["global", "shared"]
)
def test_rows_are_summed(source: str, grid: int) -> None:
    a = matrix(70, 99)
    ran = run_cuda(source, grid, 128, {"a": a, "out": Out((70,)), "rows": 70, "cols": 99})
    assert np.allclose(ran["out"], a.sum(axis=1), rtol=1e-4, atol=1e-4)
    assert spotless(ran)


@pytest.mark.parametrize("name", REDUCTIONS)
def test_a_vector_is_reduced(name: str) -> None:
    x = RNG.standard_normal(5000).astype(np.float32)
    shared = 4 * (256 + 32) if name == "last warp unrolled" else 0
    out = np.zeros(8, np.float32)
    ran = run_cuda(REDUCTIONS[name], 4, 256, {"x": x, "out": InOut(out), "n": 5000}, shared=shared)
    assert np.isclose(ran["out"][0], x.sum(), rtol=1e-3, atol=1e-3)
    assert [d for d in ran.result.diagnostics if d.severity is Severity.ERROR] == []


def test_a_histogram_is_counted_with_shared_and_global_atomics() -> None:
    source = """
extern "C" __global__ void histogram(const int* x, int* bins, int n) {
    __shared__ int local[16];
    if (threadIdx.x < 16) local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[x[i]], 1);
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
"""
    x = RNG.integers(0, 16, 3000, dtype=np.int32)
    ran = run_cuda(source, 3, 64, {"x": x, "bins": InOut(np.zeros(16, np.int32)), "n": 3000})
    assert np.array_equal(ran["bins"], np.bincount(x, minlength=16))
    assert spotless(ran)


def test_threads_that_return_early_do_not_disturb_the_others() -> None:
    source = """
extern "C" __global__ void early(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (i % 3 == 0) { out[i] = -x[i]; return; }
    float v = x[i];
    while (v > 1.0f) v *= 0.5f;
    out[i] = v;
}
"""
    x = np.abs(matrix(1000)) * 50
    want = np.where(np.arange(1000) % 3 == 0, -x, x)
    while (want > 1).any():
        want = np.where(want > 1, want * np.float32(0.5), want)
    ran = run_cuda(source, 8, 128, {"x": x, "out": Out((1000,)), "n": 1000})
    assert np.array_equal(ran["out"], want)
    assert spotless(ran)


def test_device_functions_call_themselves() -> None:
    source = """
__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
extern "C" __global__ void fibonacci(int* out) { out[threadIdx.x] = fib(threadIdx.x % 12); }
"""
    ran = run_cuda(source, 1, 40, {"out": Out((40,), np.int32)})
    fib = [0, 1]
    while len(fib) < 12:
        fib.append(fib[-1] + fib[-2])
    assert ran["out"].tolist() == [fib[i % 12] for i in range(40)]
    assert spotless(ran)


def test_structures_are_passed_to_device_functions_and_back() -> None:
    source = """
struct Pair { double x; int k; };
__device__ __noinline__ Pair twice(Pair p, float scale) { p.x *= 2 * scale; p.k += 1; return p; }
extern "C" __global__ void pairs(double* out, float scale) {
    Pair p = {1.5 * threadIdx.x, (int)threadIdx.x};
    p = twice(p, scale);
    out[threadIdx.x] = p.x + p.k;
}
"""
    ran = run_cuda(source, 1, 32, {"out": Out((32,), np.float64), "scale": np.float32(3)})
    t = np.arange(32)
    assert np.array_equal(ran["out"], 1.5 * t * 6 + t + 1)


def test_double_precision_dynamic_shared_memory_and_vector_loads() -> None:
    source = """
extern __shared__ double s[];
extern "C" __global__ void dot(const float4* a, const double2* b, double* out) {
    int t = threadIdx.x;
    float4 x = a[t];
    double2 y = b[t];
    s[t] = x.x * y.x + x.y * y.y + x.z - x.w;
    __syncthreads();
    for (int k = blockDim.x / 2; k; k /= 2) { if (t < k) s[t] += s[t + k]; __syncthreads(); }
    if (t == 0) *out = s[0];
}
"""
    a, b = matrix(64, 4), matrix(64, 2).astype(np.float64)
    ran = run_cuda(source, 1, 64, {"a": a, "b": b, "out": Out((1,), np.float64)}, shared=64 * 8)
    d = a.astype(np.float64)
    assert np.isclose(
        ran["out"][0], (d[:, 0] * b[:, 0] + d[:, 1] * b[:, 1] + (a[:, 2] - a[:, 3]) * 1.0).sum(), rtol=1e-5
    )


def test_tables_in_constant_and_local_memory_are_read() -> None:
    source = """
__constant__ float table[8] = {1, 2, 4, 8, 16, 32, 64, 128};
__device__ int offsets[4] = {3, 2, 1, 0};
extern "C" __global__ void lookup(const int* k, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int local[16];
    for (int j = 0; j < 16; j++) local[j] = (j * 7 + i) % 16;
    out[i] = table[k[i] % 8] + local[local[k[i] % 16]] + offsets[i % 4];
}
"""
    k = RNG.integers(0, 100, 90, dtype=np.int32)
    ran = run_cuda(source, 2, 64, {"k": k, "out": Out((90,)), "n": 90})
    want = []
    for i in range(90):
        local = [(j * 7 + i) % 16 for j in range(16)]
        want.append(2.0 ** (k[i] % 8) + local[local[k[i] % 16]] + 3 - i % 4)
    assert ran["out"].tolist() == want


def test_a_spin_lock_lets_every_thread_in() -> None:
    source = """
__device__ int lock = 0;
extern "C" __global__ void count(int* total) {
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            *(volatile int*)total += 1;
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
    }
}
"""
    ran = run_cuda(source, 2, 96, {"total": InOut(np.zeros(1, np.int32))})
    assert ran["total"][0] == 192


def test_a_spin_lock_in_an_infinite_loop_makes_progress() -> None:
    source = """
__device__ int lock = 0;
extern "C" __global__ void count(int* total) {
    while (atomicCAS(&lock, 0, 1) != 0) { }
    __threadfence();
    *(volatile int*)total += 1;
    __threadfence();
    atomicExch(&lock, 0);
}
"""
    ran = run_cuda(source, 1, 96, {"total": InOut(np.zeros(1, np.int32))})
    assert ran["total"][0] == 96


def test_warps_vote_match_and_shuffle() -> None:
    source = """
extern "C" __global__ void warp(const int* x, int* out) {
    int t = threadIdx.x, v = x[t];
    unsigned all = 0xffffffffu;
    out[t] = __ballot_sync(all, v > 5);
    out[t + 32] = __any_sync(all, v == 3) + 2 * __all_sync(all, v < 10) + 4 * __uni_sync(all, v < 10);
    out[t + 64] = __match_any_sync(all, v);
    out[t + 96] = __shfl_sync(all, v, (t + 5) % 32);
    out[t + 128] = __shfl_up_sync(all, v, 3, 16);
    out[t + 160] = t < 8 ? __activemask() : 0;
    out[t + 192] = __popc(__brev(v)) + __clz(v) + __ffs(v);
}
"""
    x = RNG.integers(0, 10, 32, dtype=np.int32)
    x[4] = 3
    ran = run_cuda(source, 1, 32, {"x": x, "out": Out((224,), np.int32)})
    got = ran["out"].reshape(7, 32).astype(np.int64) & 0xFFFFFFFF
    lanes = np.arange(32)
    assert (got[0] == sum(1 << int(i) for i in lanes if x[i] > 5)).all()
    assert (got[1] == 7).all()
    assert got[2].tolist() == [sum(1 << int(j) for j in lanes if x[j] == x[i]) for i in lanes]
    assert np.array_equal(got[3], x[(lanes + 5) % 32])
    assert np.array_equal(got[4], [x[i - 3] if i % 16 >= 3 else x[i] for i in lanes])
    assert got[5].tolist() == [255] * 8 + [0] * 24
    assert got[6].tolist() == [
        int(v).bit_count() + 32 - int(v).bit_length() + (int(v) & -int(v)).bit_length() for v in x
    ]


def test_sync_may_stand_at_any_place_of_a_warp_operation() -> None:
    source = """
extern "C" __global__ void warp(int* out) {
    int t = threadIdx.x, votes, moved, same;
    asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 3; vote.ballot.sync.b32 %0, p, 0xffffffff; }"
                 : "=r"(votes) : "r"(t));
    asm volatile("shfl.idx.sync.b32 %0, %1, 5, 31, 0xffffffff;" : "=r"(moved) : "r"(2 * t));
    asm volatile("match.sync.any.b32 %0, %1, 0xffffffff;" : "=r"(same) : "r"(t & 1));
    out[t] = votes;
    out[t + 32] = moved;
    out[t + 64] = same;
}
"""
    got = run_cuda(source, 1, 32, {"out": Out((96,), np.int32)})["out"].view(np.uint32).reshape(3, 32)
    assert (got[0] == 0xFFFFFFF0).all()
    assert (got[1] == 10).all()
    assert got[2].tolist() == [0x55555555, 0xAAAAAAAA] * 16


def test_barriers_can_count_and_name_a_part_of_the_block() -> None:
    source = """
extern "C" __global__ void barriers(const int* x, int* out) {
    int t = threadIdx.x;
    out[t] = __syncthreads_count(x[t] > 4);
    out[t + 96] = __syncthreads_and(x[t] < 10) + 2 * __syncthreads_or(x[t] == 77);
    if (t < 64) asm volatile("bar.sync 1, 64;");
    out[t + 192] = t;
}
"""
    x = RNG.integers(0, 10, 96, dtype=np.int32)
    ran = run_cuda(source, 1, 96, {"x": x, "out": Out((288,), np.int32)})
    got = ran["out"].reshape(3, 96)
    assert (got[0] == (x > 4).sum()).all()
    assert (got[1] == 1).all()
    assert got[2].tolist() == list(range(96))
    assert spotless(ran)


def test_bytes_and_shorts_are_loaded_and_stored() -> None:
    source = """
extern "C" __global__ void narrow(const int* x, int* out, int n) {
    __shared__ signed char c[64];
    __shared__ unsigned short u[64];
    int t = threadIdx.x;
    c[t] = x[t];
    u[t] = x[t];
    __syncthreads();
    out[t] = c[63 - t] * 1000 + u[(t + 1) % 64];
}
"""
    x = RNG.integers(-1000, 100000, 64, dtype=np.int32)
    ran = run_cuda(source, 1, 64, {"x": x, "out": Out((64,), np.int32), "n": 64})
    t = np.arange(64)
    want = x.astype(np.int8)[63 - t].astype(np.int32) * 1000 + x.astype(np.uint16)[(t + 1) % 64]
    assert np.array_equal(ran["out"], want)
    assert spotless(ran)


def test_atomics_return_what_was_there_before() -> None:
    source = """
extern "C" __global__ void atomics(int* i, unsigned* u, unsigned long long* l, double* d) {
    int t = threadIdx.x;
    atomicMax(&i[0], t - 5); atomicMin(&i[1], -t); atomicAnd(&i[2], ~(1 << (t % 8))); atomicOr(&i[3], 1 << (t % 16));
    atomicXor(&i[4], t); atomicSub(&i[5], 2); i[6 + t] = atomicAdd(&i[5], 1);
    atomicInc(&u[0], 9); atomicDec(&u[1], 20); atomicMax(&u[2], 0x80000000u + t); atomicExch(&u[3], t);
    atomicAdd(&l[0], 1ull << 33); atomicMax(&l[1], (1ull << 63) + t); atomicCAS(&l[2], 0ull, 5ull + t);
    atomicAdd(d, 0.5 * t);
}
"""
    ran = run_cuda(
        source,
        1,
        32,
        {
            "i": InOut(np.array([0, 0, 255, 0, 0, 0] + [0] * 32, np.int32)),
            "u": InOut(np.zeros(4, np.uint32)),
            "l": InOut(np.zeros(3, np.uint64)),
            "d": InOut(np.zeros(1)),
        },
    )
    assert ran["i"][:6].tolist() == [26, -31, 0, 0xFFFF, 0, -32]
    assert ran["i"][6:].tolist() == [-64 + t for t in range(32)]
    down = 0
    for _ in range(32):
        down = 20 if down == 0 or down > 20 else down - 1
    assert ran["u"].tolist() == [32 % 10, down, 0x8000001F, 31]
    assert ran["l"].tolist() == [32 << 33, (1 << 63) + 31, 5]
    assert ran["d"][0] == 0.5 * 496


def test_special_registers_tell_where_a_thread_is() -> None:
    source = """
extern "C" __global__ void where(int* out) {
    int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned lane, warp, below; long long clock = clock64();
    asm("mov.u32 %0, %laneid;" : "=r"(lane));
    asm("mov.u32 %0, %warpid;" : "=r"(warp));
    asm("mov.u32 %0, %lanemask_lt;" : "=r"(below));
    out[block * blockDim.x * blockDim.y * blockDim.z + thread] =
        block * 1000 + thread + (lane + 32 * warp == thread && below == (1u << lane) - 1 && clock >= 0 ? 0 : 1000000);
}
"""
    ran = run_cuda(source, Dim3(x=2, y=3, z=2), Dim3(x=5, y=4, z=3), {"out": Out((12, 60), np.int32)})
    assert np.array_equal(ran["out"], np.arange(12)[:, None] * 1000 + np.arange(60))


def test_a_switch_jumps_to_every_case() -> None:
    cases = "\n".join(f"case {k}: v = v * {k + 2} + {k * k}; break;" for k in range(12))
    source = f"""
extern "C" __global__ void choose(const int* x, int* out) {{
    int v = x[threadIdx.x] * 3;
    switch (x[threadIdx.x]) {{ {cases} default: v = -1; }}
    out[threadIdx.x] = v;
}}
"""
    x = (np.arange(64) % 14).astype(np.int32)
    ran = run_cuda(source, 1, 64, {"x": x, "out": Out((64,), np.int32)})
    assert ran["out"].tolist() == [v * 3 * (v + 2) + v * v if v < 12 else -1 for v in x.tolist()]


def test_several_launches_work_on_the_same_buffers() -> None:
    source = (
        'extern "C" __global__ void step(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] += 1.0f; }'
    )
    ran = run_cuda(source, 1, 32, {"x": InOut(np.zeros(20, np.float32)), "n": 20}, times=5)
    assert (ran["x"] == 5).all()
    assert ran.counters.launches == 5
    assert spotless(ran)
