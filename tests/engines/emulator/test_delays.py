"""What the cost model reads beside traffic: chains, atomics on one word, local memory, textures."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.engines.cost_model import modelled_seconds
from grader.engines.emulator.decode.chains import barriers_after_loads, chain_shares
from grader.engines.emulator.ptx.parser import parse
from grader.engines.emulator.ptx.syntax import Function
from grader.model.device import Device
from grader.model.devices import DEVICES, TESLA_T4
from grader.model.run import Counters, RunOptions
from grader.model.texture import Texture
from tools.emulator.compiling import Argument, InOut, Out, Textured, ptx_of, run_cuda

TALLY = """
extern "C" __global__ void tally(const int* places, int* sums, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&sums[places[i]], 1);
}
"""

TALLY_IN_SHARED_MEMORY = """
extern "C" __global__ void tally(const int* places, int* sums, int n) {
    __shared__ int own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[places[i]], 1);
    __syncthreads();
    atomicAdd(&sums[threadIdx.x], own[threadIdx.x]);
}
"""

BLOCKS, BINS = 8, 256
N = 16 * BLOCKS * BINS


def tallied(source: str, places: NDArray[np.int32]) -> Counters:
    args: dict[str, Argument] = {"places": places, "sums": InOut(np.zeros(BINS, np.int32)), "n": N}
    ran = run_cuda(source, BLOCKS, BINS, args, options=RunOptions())
    assert ran["sums"].sum() == N
    return ran.counters


def even() -> NDArray[np.int32]:
    return np.random.default_rng(3).integers(0, BINS, N).astype(np.int32)


def same() -> NDArray[np.int32]:
    return np.full(N, 77, np.int32)


def test_atomics_are_counted_by_thread_word_and_replay() -> None:
    one = tallied(TALLY, same())
    assert (one.atomic_operations, one.most_atomics, one.atomic_sectors) == (N, N, N // 32)
    spread = tallied(TALLY, np.arange(N, dtype=np.int32) % BINS)
    assert (spread.atomic_operations, spread.most_atomics, spread.atomic_sectors) == (N, N // BINS, N // 8)
    assert one.atomic_replays == spread.atomic_replays == 0
    assert tallied(TALLY_IN_SHARED_MEMORY, same()).atomic_replays == 31 * N // 32


@pytest.mark.parametrize("device", DEVICES.values(), ids=DEVICES)
@pytest.mark.parametrize("source", [TALLY, TALLY_IN_SHARED_MEMORY], ids=["global", "shared"])
def test_contended_atomics_are_slower_than_spread_ones(source: str, device: Device) -> None:
    contended, spread = tallied(source, same()), tallied(source, even())
    assert modelled_seconds([contended], device) > modelled_seconds([spread], device)


@pytest.mark.parametrize("places", [even, same])
def test_a_histogram_in_shared_memory_beats_one_in_global(places: Callable[[], NDArray[np.int32]]) -> None:
    slow, fast = tallied(TALLY, places()), tallied(TALLY_IN_SHARED_MEMORY, places())
    assert modelled_seconds([slow], TESLA_T4) > 1.3 * modelled_seconds([fast], TESLA_T4)


def kernel(body: str) -> Function:
    source = f'extern "C" __global__ void k(float* x, int n) {{ {body} }}'
    (function,) = (f for f in parse(ptx_of(source), ()).functions.values() if f.is_kernel)
    return function


def shares(body: str) -> list[tuple[float, float]]:
    return chain_shares(kernel(body))


def test_independent_sums_are_shorter_chains_than_one() -> None:
    one = shares("float a = x[0]; for (int i = 0; i < 16; ++i) a = a * a + 1.0f; x[0] = a;")
    four = shares(
        "float a = x[0], b = x[1], c = x[2], d = x[3];"
        "for (int i = 0; i < 4; ++i) { a = a * a + 1.0f; b = b * b + 1.0f; c = c * c + 1.0f; d = d * d + 1.0f; }"
        "x[0] = a; x[1] = b; x[2] = c; x[3] = d;"
    )
    assert sum(chain for chain, _ in four) < 0.6 * sum(chain for chain, _ in one)


def test_loads_that_wait_for_a_load_are_a_chain_of_loads() -> None:
    side_by_side = shares("x[0] = x[1] + x[2] + x[3] + x[4];")
    one_by_one = shares("x[0] = x[(int)x[(int)x[(int)x[1]]]];")
    assert sum(loads for _, loads in side_by_side) == pytest.approx(1)
    assert sum(loads for _, loads in one_by_one) == pytest.approx(4)


TILES = """
    __shared__ float tile[64];
    float sum = 0;
    for (int i = 0; i < n; ++i) {
        tile[threadIdx.x] = x[64 * i + threadIdx.x];
        __syncthreads();
        sum += tile[63 - threadIdx.x];
        __syncthreads();
    }
    x[threadIdx.x] = sum;
"""

TREE = """
    __shared__ float parts[64];
    parts[threadIdx.x] = x[threadIdx.x] + x[64 + threadIdx.x];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
        __syncthreads();
    }
    x[threadIdx.x] = parts[0];
"""


@pytest.mark.parametrize(("body", "every"), [(TILES, 2), (TREE, 100)], ids=["tiles", "tree"])
def test_the_barrier_between_a_load_and_its_use_is_one_after_loads(body: str, every: int) -> None:
    function = kernel(body)
    barriers = [index for index, ins in enumerate(function.body) if ins.opcode[0] in {"bar", "barrier"}]
    assert barriers_after_loads(function) == set(barriers[::every])
    assert len(barriers) >= 2


@pytest.mark.parametrize(("body", "each"), [(TILES, 5), (TREE, 1)], ids=["tiles", "tree"])
def test_barriers_after_loads_and_stored_lines_are_counted(body: str, each: int) -> None:
    source = f'extern "C" __global__ void k(float* x, int n) {{ {body} }}'
    ran = run_cuda(source, 1, 64, {"x": InOut(np.ones(320, np.float32)), "n": 5}, options=RunOptions())
    assert ran.counters.barriers_after_loads == each * 2
    assert ran.counters.stored_lines == 2


def test_an_array_that_is_indexed_by_data_is_counted_as_local() -> None:
    source = """
extern "C" __global__ void turn(const int* order, float* out) {
    float own[16];
    for (int i = 0; i < 16; ++i) own[i] = i;
    float sum = 0;
    for (int i = 0; i < 16; ++i) sum += own[order[i]];
    out[threadIdx.x] = sum;
}
"""
    order = np.arange(16, dtype=np.int32)
    ran = run_cuda(source, 1, 32, {"order": order, "out": Out((32,))}, options=RunOptions())
    assert 16 <= ran.counters.local_requests <= 32


def test_texture_reads_are_counted_once_a_warp() -> None:
    source = """
extern "C" __global__ void read(cudaTextureObject_t image, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = tex2D<float>(image, i % 32 + 0.5f, i / 32 + 0.5f);
}
"""
    pixels = np.ones((8, 32), np.float32)
    image = Textured(pixels, Texture(buffer="image", dimensions=2))
    ran = run_cuda(source, 2, 128, {"image": image, "out": Out((256,))}, options=RunOptions())
    assert ran.counters.texture_requests == 8
