"""Read textures. Source: CUDA C++ Programming Guide, "Texture Fetching".

Linear filtering uses 9-bit fixed-point weights, of which 8 bits are fractional, and sums in float32.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.engines.emulator.core.codes import EventKind
from grader.engines.emulator.decode.program import Fetch
from grader.engines.emulator.isa.cells import WARP
from grader.engines.emulator.services.request import Request
from grader.model.texture import Addressing, Filtering, Texture

_FRACTIONS = 256
_CHANNELS = 4
_FARTHEST = 1 << 30

Long = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Sampler:
    """A texture and its texels, of shape (height, width, channels)."""

    texture: Texture
    texels: NDArray[Any]

    def allows(self, detail: Fetch) -> bool:
        """Whether the texture supports this kind of read."""
        texture = self.texture
        return texture.dimensions == detail.dimensions and texture.sampling.fetched == detail.by_index

    def fetch(self, index: Long) -> NDArray[Any]:
        """Texels of linear memory, 0 outside it."""
        return self._at(np.zeros_like(index), index)

    def sample(self, coordinates: list[NDArray[np.float32]]) -> NDArray[Any]:
        """Values at coordinates (x, and y in two dimensions), as an array of shape (lanes, channels)."""
        sampling = self.texture.sampling
        height, width, _ = self.texels.shape
        pairs = zip(coordinates, (width, height), strict=False)
        scaled = [self._scaled(coordinate.astype(np.float64), extent) for coordinate, extent in pairs]
        if len(scaled) == 1:
            scaled.append(np.full_like(scaled[0], 0.5))
        if sampling.filtering is Filtering.POINT:
            x, y = (np.floor(coordinate).astype(np.int64) for coordinate in scaled)
            return self._read(y, x)
        (x, right), (y, below) = (_split(coordinate) for coordinate in scaled)
        total = np.zeros((len(x), self.texels.shape[2]), np.float32)
        for down, weight_down in ((0, 1 - below), (1, below)):
            for over, weight_over in ((0, 1 - right), (1, right)):
                weight = (weight_down * weight_over).astype(np.float32)[:, None]
                total += np.where(weight > 0, weight * self._read(y + down, x + over), np.float32(0))
        return total

    def _scaled(self, coordinate: NDArray[np.float64], extent: int) -> NDArray[np.float64]:
        """Coordinates in texels; distant values and NaN are clamped to the range of an index."""
        scaled = coordinate * extent if self.texture.sampling.normalised else coordinate
        bounded: NDArray[np.float64] = np.fmin(np.fmax(scaled, -_FARTHEST), _FARTHEST)
        return bounded

    def _read(self, y: Long, x: Long) -> NDArray[Any]:
        """Texels at integer positions, inside or outside the texture."""
        sampling = self.texture.sampling
        turns = sampling.normalised or sampling.addressing is Addressing.BORDER
        index = _ADDRESSINGS[sampling.addressing if turns else Addressing.CLAMP]
        height, width, _ = self.texels.shape
        return self._at(index(y, height), index(x, width))

    def _at(self, y: Long, x: Long) -> NDArray[Any]:
        """Texels at positions; 0 outside the texture."""
        height, width, _ = self.texels.shape
        inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        texels = self.texels[np.where(inside, y, 0), np.where(inside, x, 0)]
        return np.where(inside[:, None], self._as_read(texels), 0)

    def _as_read(self, texels: NDArray[Any]) -> NDArray[Any]:
        """Channels as float32, or as 32-bit integers."""
        if self.texture.values_normalised:
            largest = np.float32(np.iinfo(texels.dtype).max)
            scaled: NDArray[np.float32] = np.maximum(texels.astype(np.float32) / largest, np.float32(-1))
            return scaled
        return texels.astype({"f": np.float32, "i": np.int32, "u": np.uint32}[texels.dtype.kind])


def _split(coordinate: NDArray[np.float64]) -> tuple[Long, NDArray[np.float64]]:
    """The texel before a coordinate, and the fraction of the distance to the next texel."""
    fixed = np.floor((coordinate - 0.5) * _FRACTIONS + 0.5).astype(np.int64)
    return fixed // _FRACTIONS, (fixed % _FRACTIONS) / _FRACTIONS


def _mirrored(coordinate: Long, extent: int) -> Long:
    turned = coordinate % (2 * extent)
    return np.where(turned < extent, turned, 2 * extent - 1 - turned)


_ADDRESSINGS: dict[Addressing, Callable[[Long, int], Long]] = {
    Addressing.CLAMP: lambda coordinate, extent: np.minimum(np.maximum(coordinate, 0), extent - 1),
    Addressing.WRAP: lambda coordinate, extent: coordinate % extent,
    Addressing.MIRROR: _mirrored,
    Addressing.BORDER: lambda coordinate, _extent: coordinate,
}


def read(request: Request, samplers: dict[int, Sampler]) -> None:
    """Execute a read; ``samplers`` are the plan's textures by their handles."""
    detail = request.call.detail
    if not isinstance(detail, Fetch):
        msg = f"a read of a texture without its kind: {request.call}"
        raise TypeError(msg)
    handles = request.source(0)
    coordinates = [request.source(1 + axis) for axis in range(detail.dimensions)]
    answer = np.zeros((_CHANNELS, WARP), np.int32)
    for handle in set(handles[request.lanes].tolist()):
        sampler = samplers.get(handle)
        if sampler is None or not sampler.allows(detail):
            for lane in request.lanes:
                if handles[lane] == handle:
                    request.note(EventKind.NO_TEXTURE, handle, 0, lane)
            continue
        if detail.by_index:
            texels = sampler.fetch(coordinates[0].astype(np.int64))
        else:
            texels = sampler.sample([coordinate.view(np.float32) for coordinate in coordinates])
        bits = np.ascontiguousarray(texels.T).view(np.int32)
        np.copyto(answer[: len(bits)], bits, where=handles == handle)
    for channel in range(_CHANNELS):
        request.answer(channel, answer[channel])
