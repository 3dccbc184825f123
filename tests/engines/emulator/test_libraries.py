"""Kernels that use NVIDIA's device libraries give the right answers on the emulator."""

import functools

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.model.kernel import KernelSpec, Param
from tests.compile.examples import build_cuda, only_kernel, ptx
from tests.engines.emulator.surface_kernels import complaints
from tools.emulator.compiling import Out, run_ptx

SPEC = KernelSpec(name="run", params=tuple(map(Param.parse, ("const int32 x[n]", "float32 out[k][n]"))))
N = 256
X = (np.arange(N) * 37 % 101).astype(np.int32)

KERNEL = """{includes}
__global__ void run(const int *x, float *out)
{{
    int i = threadIdx.x;
    {body}
}}
"""


def rows(includes: str, body: str, count: int) -> NDArray[np.float32]:
    """Run one block of 256 threads without a complaint; returns ``count`` rows of output."""
    lines = "".join(f"#include <{name}>\n" for name in includes.split())
    outcome = build_cuda(KERNEL.format(includes=lines, body=body), name="run.cu", kernels=(SPEC,))
    kernel = only_kernel(outcome)
    ran = run_ptx(ptx(outcome), kernel.symbol, 1, N, {"x": X, "out": Out((count, N), np.float32)})
    assert ran.fault is None
    assert complaints(ran) == []
    answer: NDArray[np.float32] = ran["out"]
    return answer


def test_cooperative_groups_reduce_scan_and_copy() -> None:
    body = """
    namespace cg = cooperative_groups;
    __shared__ int s[256];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    out[i] = cg::reduce(tile, x[i], cg::plus<int>());
    out[256 + i] = cg::inclusive_scan(tile, x[i]);
    cg::memcpy_async(block, s, x, sizeof s);
    cg::wait(block);
    out[512 + i] = s[255 - i];
    """
    header = "cooperative_groups"
    reduced, scanned, copied = rows(
        f"{header}.h {header}/reduce.h {header}/scan.h {header}/memcpy_async.h", body, 3
    )
    warps = X.reshape(-1, 32)
    assert reduced.tolist() == np.repeat(warps.sum(axis=1), 32).tolist()
    assert scanned.tolist() == warps.cumsum(axis=1).ravel().tolist()
    assert copied.tolist() == X[::-1].tolist()


def test_block_and_warp_primitives_of_cub() -> None:
    body = """
    using Reduce = cub::BlockReduce<int, 256>;
    using Scan = cub::BlockScan<int, 256>;
    using Sort = cub::BlockRadixSort<int, 256, 1>;
    using Warp = cub::WarpReduce<int>;
    __shared__ typename Reduce::TempStorage reduce;
    __shared__ typename Scan::TempStorage scan;
    __shared__ typename Sort::TempStorage sort;
    __shared__ typename Warp::TempStorage warp[8];
    int sum = Reduce(reduce).Sum(x[i]), before, key[1] = {x[i]};
    if (i == 0) out[0] = sum;
    Scan(scan).ExclusiveSum(x[i], before);
    out[256 + i] = before;
    Sort(sort).Sort(key);
    out[512 + i] = key[0];
    int part = Warp(warp[i / 32]).Sum(x[i]);
    if (i % 32 == 0) out[768 + i / 32] = part;
    """
    reduced, scanned, in_order, of_warps = rows("cub/cub.cuh", body, 4)
    assert reduced[0] == X.sum()
    assert scanned.tolist() == (X.cumsum() - X).tolist()
    assert in_order.tolist() == sorted(X.tolist())
    assert of_warps[:8].tolist() == X.reshape(-1, 32).sum(axis=1).tolist()


def test_barriers_pipelines_and_atomics_of_libcu() -> None:
    body = """
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int s[256], t[256], total;
    if (i == 0) { init(&barrier, 256); total = 0; }
    __syncthreads();
    s[i] = x[i];
    cuda::atomic_ref<int, cuda::thread_scope_block>(total).fetch_add(x[i]);
    barrier.arrive_and_wait();
    out[i] = s[255 - i];
    out[256 + i] = total;
    auto pipeline = cuda::make_pipeline();
    pipeline.producer_acquire();
    cuda::memcpy_async(&t[i], &x[i], sizeof(int), pipeline);
    pipeline.producer_commit();
    pipeline.consumer_wait();
    __syncthreads();
    out[512 + i] = t[255 - i];
    pipeline.consumer_release();
    cuda::std::array<int, 3> three{5, 6, 7};
    out[768 + i] = three[x[i] % 3];
    """
    waited, total, copied, chosen = rows("cuda/barrier cuda/pipeline cuda/atomic cuda/std/array", body, 4)
    assert waited.tolist() == copied.tolist() == X[::-1].tolist()
    assert set(total) == {X.sum()}
    assert chosen.tolist() == (X % 3 + 5).tolist()


def test_complex_numbers_and_tuples_of_thrust() -> None:
    body = """
    thrust::complex<float> c(3, 4);
    auto pair = thrust::make_tuple(x[i], 2.0f);
    out[i] = thrust::abs(c);
    out[256 + i] = thrust::plus<float>()(thrust::get<0>(pair), thrust::get<1>(pair));
    """
    lengths, sums = rows(
        "thrust/device_vector.h thrust/complex.h thrust/tuple.h thrust/functional.h", body, 2
    )
    assert set(lengths) == {5}
    assert sums.tolist() == (X + 2).tolist()


SEED = 1234
CURAND = """
    curandState xorwow;
    curand_init(1234, 0, i, &xorwow);
    out[i] = curand_uniform(&xorwow);
    curand_init(1234, 0, i, &xorwow);
    out[256 + i] = curand_normal(&xorwow);
    curandStatePhilox4_32_10_t philox;
    curand_init(1234, i, 0, &philox);
    out[512 + i] = curand_uniform4(&philox).y;
    curand_init(1234, i, 0, &xorwow);
    out[768 + i] = curand_uniform(&xorwow);
"""


@functools.cache
def random_rows() -> NDArray[np.float32]:
    return rows("curand.h curand_kernel.h", CURAND, 4)


def xorwow(count: int) -> NDArray[np.float64]:
    """The first numbers of cuRAND's default generator. Sources: Marsaglia 2003; seeding as in curand_kernel.h."""
    mask = 2**32 - 1
    low, high = (SEED & mask) ^ 0xAAD26B49, (SEED >> 32) ^ 0xF7DCEFDD
    t0, t1 = 1099087573 * low & mask, 2591861531 * high & mask
    v = [123456789 + t0, 362436069 ^ t0, 521288629 + t1, 88675123 ^ t1, 5783321 + t0]
    v = [word & mask for word in v]
    d, drawn = (6615241 + t1 + t0) & mask, []
    for _ in range(count):
        t = v[0] ^ (v[0] >> 2)
        v = [*v[1:], ((v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1))) & mask]
        d = (d + 362437) & mask
        drawn.append((d + v[4]) & mask)
    return np.array(drawn, np.float64)


def philox(subsequence: int) -> int:
    """The second word of Philox4x32-10 at the start of a subsequence. Source: Salmon et al. 2011."""
    mask = 2**32 - 1
    counter, key = [0, 0, subsequence, 0], [SEED, 0]
    for _ in range(10):
        first, second = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = [
            (second >> 32) ^ counter[1] ^ key[0],
            second & mask,
            (first >> 32) ^ counter[3] ^ key[1],
            first & mask,
        ]
        key = [(key[0] + 0x9E3779B9) & mask, (key[1] + 0xBB67AE85) & mask]
    return counter[1]


def uniform(words: NDArray[np.float64]) -> NDArray[np.float64]:
    return words * 2.0**-32 + 2.0**-33


def test_curand_draws_the_numbers_of_its_default_generator() -> None:
    assert np.allclose(random_rows()[0], uniform(xorwow(N)), rtol=0, atol=1e-7)


def test_curand_draws_normal_numbers_by_box_and_muller() -> None:
    words = uniform(xorwow(N + 1))
    wanted = np.sqrt(-2 * np.log(words[:-1])) * np.sin(2 * np.pi * words[1:])
    assert np.allclose(random_rows()[1], wanted, rtol=0, atol=1e-4)


def test_curand_draws_the_numbers_of_philox() -> None:
    wanted = uniform(np.array([philox(i) for i in range(N)], np.float64))
    assert np.allclose(random_rows()[2], wanted, rtol=0, atol=1e-7)


def test_curands_subsequences_differ() -> None:
    drawn = random_rows()[3]
    assert drawn[0] == random_rows()[0][0]
    assert len(set(drawn.tolist())) == N
    assert abs(drawn.mean() - 0.5) < 0.1


@pytest.mark.parametrize("header", ["cuda_fp16.h", "cuda_bf16.h", "cuComplex.h", "math_constants.h", "mma.h"])
def test_single_headers_of_the_toolkit_compile(header: str) -> None:
    assert rows(header, "out[i] = x[i];", 1)[0].tolist() == X.tolist()
