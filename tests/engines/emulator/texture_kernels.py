"""Kernels that read textures, with expected values computed independently of the emulator."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from grader.model.texture import Addressing, Filtering, Sampling, Texel, Texture
from tests.engines.emulator.surface_kernels import SurfaceCase
from tools.emulator.compiling import Out, Textured

F32 = np.float32

_PLANE = """
extern "C" __global__ void run(cudaTextureObject_t image, const float* x, const float* y, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = tex2D<float>(image, x[i], y[i]);
}
"""
_LINE = """
extern "C" __global__ void run(cudaTextureObject_t line, const float* x, float* out) {
    int i = threadIdx.x;
    out[i] = tex1D<float>(line, x[i]);
}
"""
_FETCH = """
extern "C" __global__ void run(cudaTextureObject_t line, const int* at, int* out) {
    int i = threadIdx.x;
    int2 pair = tex1Dfetch<int2>(line, at[i]);
    out[i] = pair.x + 1000 * pair.y;
}
"""
_COLOURS = """
extern "C" __global__ void run(cudaTextureObject_t image, float* out, int width) {
    float4 c = tex2D<float4>(image, threadIdx.x % width + 0.5f, threadIdx.x / width + 0.5f);
    float* mine = out + 4 * threadIdx.x;
    mine[0] = c.x; mine[1] = c.y; mine[2] = c.z; mine[3] = c.w;
}
"""
_BYTES = """
extern "C" __global__ void run(cudaTextureObject_t image, int* out, int width) {
    uchar4 c = tex2D<uchar4>(image, threadIdx.x % width + 0.5f, threadIdx.x / width + 0.5f);
    out[threadIdx.x] = c.x + 2 * c.y + 3 * c.z + 4 * c.w;
}
"""


def _outside(index: int, extent: int, addressing: Addressing) -> int | None:
    """The texel index for an index that may be outside; ``None`` for the border."""
    if 0 <= index < extent:
        return index
    if addressing is Addressing.BORDER:
        return None
    if addressing is Addressing.CLAMP:
        return max(0, min(extent - 1, index))
    if addressing is Addressing.WRAP:
        return index - extent * math.floor(index / extent)
    cycle = list(range(extent)) + list(reversed(range(extent)))
    return cycle[index - 2 * extent * math.floor(index / (2 * extent))]


def _looked_up(image: NDArray[F32], x: float, y: float, sampling: Sampling) -> float:
    """One read, by the formulas of the CUDA C++ Programming Guide."""
    height, width = image.shape
    if sampling.normalised:
        x, y = x * width, y * height

    def texel(row: int, column: int) -> float:
        r, c = _outside(row, height, sampling.addressing), _outside(column, width, sampling.addressing)
        return 0.0 if r is None or c is None else float(image[r, c])

    if sampling.filtering is Filtering.POINT:
        return texel(math.floor(y), math.floor(x))
    x, y = x - 0.5, y - 0.5
    i, j = math.floor(x), math.floor(y)
    a, b = round((x - i) * 256) / 256, round((y - j) * 256) / 256
    return (
        (1 - a) * (1 - b) * texel(j, i)
        + a * (1 - b) * texel(j, i + 1)
        + (1 - a) * b * texel(j + 1, i)
        + a * b * texel(j + 1, i + 1)
    )


def plane(filtering: Filtering, addressing: Addressing, *, normalised: bool) -> SurfaceCase:
    """An image of 12 by 8 texels, read inside and far outside its bounds."""
    sampling = Sampling(filtering=filtering, addressing=addressing, normalised=normalised)
    rng = np.random.default_rng(11)
    image = rng.integers(-64, 64, (8, 12)).astype(F32)
    # Multiples of 1/512 of a texel, off the middle of two steps of the weights, are exact everywhere.
    scale = (1 / 16, 1 / 8) if normalised else (1.0, 1.0)
    image = np.concatenate([image, image[:, :4]], axis=1) if normalised else image
    x = ((rng.integers(-20 * 256, 36 * 256, 256) * 2 + 0.5) / 512 * scale[0]).astype(F32)
    y = ((rng.integers(-12 * 256, 20 * 256, 256) * 2 + 0.5) / 512 * scale[1]).astype(F32)
    expected = np.array(
        [_looked_up(image, float(a), float(b), sampling) for a, b in zip(x, y, strict=True)], F32
    )
    texture = Texture(buffer="image", dimensions=2, sampling=sampling)
    linear = filtering is Filtering.LINEAR
    return SurfaceCase(
        f"texture {filtering} {addressing}{' normalised' if normalised else ''}",
        _PLANE,
        2,
        128,
        {"image": Textured(image, texture), "x": x, "y": y, "out": Out((256,))},
        {"out": expected},
        tolerance=WEIGHT_STEP * float(np.ptp(image)) if linear else 0.0,
    )


WEIGHT_STEP = 2 / 256
"""Tolerance relative to the texels' range: a step of the weight in each dimension, for differences in rounding."""


def line() -> SurfaceCase:
    sampling = Sampling(filtering=Filtering.LINEAR)
    row = np.arange(16, dtype=F32) ** 2
    x = (np.arange(64, dtype=F32) - 8) / 4 + F32(0.125)
    expected = np.array([_looked_up(row.reshape(1, 16), float(a), 0.5, sampling) for a in x], F32)
    texture = Texture(buffer="line", dimensions=1, sampling=sampling)
    return SurfaceCase(
        "texture of one dimension",
        _LINE,
        1,
        64,
        {"line": Textured(row, texture), "x": x, "out": Out((64,))},
        {"out": expected},
        tolerance=WEIGHT_STEP * 256,
    )


def fetch() -> SurfaceCase:
    pairs = np.arange(64, dtype=np.int32)
    at = (np.arange(32) * 5 % 40 - 2).astype(np.int32)
    inside = (at >= 0) & (at < 32)
    expected = np.where(inside, 2 * at + 1000 * (2 * at + 1), 0).astype(np.int32)
    texture = Texture(
        buffer="line", dimensions=1, texel=Texel.INT32, channels=2, sampling=Sampling(fetched=True)
    )
    return SurfaceCase(
        "texture in linear memory",
        _FETCH,
        1,
        32,
        {"line": Textured(pairs, texture), "at": at, "out": Out((32,), np.int32)},
        {"out": expected},
    )


def _pixels() -> NDArray[np.uint8]:
    return np.random.default_rng(3).integers(0, 256, (4, 8, 4)).astype(np.uint8)


def colours() -> SurfaceCase:
    pixels = _pixels()
    texture = Texture(buffer="image", dimensions=2, texel=Texel.UINT8, channels=4, values_normalised=True)
    words = pixels.view(np.uint32).reshape(4, 8)
    expected = pixels.reshape(32, 4).astype(F32) / F32(255)
    return SurfaceCase(
        "texture of colours",
        _COLOURS,
        1,
        32,
        {"image": Textured(words, texture), "out": Out((32, 4)), "width": 8},
        {"out": expected},
        tolerance=2.0**-23,
    )


def pixel_bytes() -> SurfaceCase:
    pixels = _pixels()
    texture = Texture(buffer="image", dimensions=2, texel=Texel.UINT8, channels=4)
    words = pixels.view(np.uint32).reshape(4, 8)
    expected = (pixels.reshape(32, 4).astype(np.int32) * [1, 2, 3, 4]).sum(axis=1).astype(np.int32)
    return SurfaceCase(
        "texture of bytes",
        _BYTES,
        1,
        32,
        {"image": Textured(words, texture), "out": Out((32,), np.int32), "width": 8},
        {"out": expected},
    )


_MAKERS: tuple[Callable[[], SurfaceCase], ...] = (
    *(
        lambda f=f, a=a: plane(f, a, normalised=False)
        for f in Filtering
        for a in (Addressing.CLAMP, Addressing.BORDER)
    ),
    *(lambda f=f, a=a: plane(f, a, normalised=True) for f in Filtering for a in Addressing),
    line,
    fetch,
    colours,
    pixel_bytes,
)


def texture_cases() -> list[SurfaceCase]:
    """All cases of this module."""
    return [make() for make in _MAKERS]
