"""Values of textures at coordinates. Source: CUDA C++ Programming Guide, "Texture Fetching".

Linear filtering uses 9-bit fixed-point weights, of which 8 bits are fractional, and sums in float32.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.engines.emulator.decode.geometries import Geometry
from grader.model.texture import Addressing, Filtering

_FRACTIONS = 256
_FARTHEST = 1 << 30
_FACES = 6

Long = NDArray[np.int64]
Coordinates = list[NDArray[np.float32]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampler:
    """Texels of shape (layers, depth, height, width, channels), and how they are read.

    The faces of a cubemap are layers. ``addressing`` is that of x, y and z. ``border`` are the 32 bits of each channel
    outside, where that is ``BORDER``. ``values_normalised``: integers are read as numbers from 0 (or -1) to 1.
    """

    geometry: Geometry
    texels: NDArray[Any]
    filtering: Filtering = Filtering.POINT
    addressing: tuple[Addressing, ...] = (Addressing.CLAMP,) * 3
    normalised: bool = False
    values_normalised: bool = False
    border: tuple[int, ...] = (0, 0, 0, 0)

    def fetch(self, index: Long) -> NDArray[Any]:
        """Texels of linear memory, 0 outside it, of shape (lanes, channels)."""
        line = self.texels[0, 0, 0]
        inside = (index >= 0) & (index < len(line))
        return np.where(inside[:, None], self._as_read(line[np.where(inside, index, 0)]), 0)

    def sample(self, layers: Long, coordinates: Coordinates) -> NDArray[Any]:
        """Values at coordinates (x, y, z, as many as there are), of shape (lanes, channels)."""
        if self.filtering is Filtering.POINT:
            corners: NDArray[Any] = self._corners(layers, coordinates, _whole)[0][0, 0, 0]
            return corners
        corners, weight = self._corners(layers, coordinates, _split)
        weighted = np.where(weight[..., None] > 0, weight[..., None] * corners, np.float32(0))
        total: NDArray[np.float32] = weighted.sum(axis=(0, 1, 2), dtype=np.float32)
        return total

    def gather(self, coordinates: Coordinates, channel: int) -> NDArray[Any]:
        """A channel of the four texels that filtering would use, anticlockwise from the lower left."""
        texels = self._corners(np.zeros(len(coordinates[0]), np.int64), coordinates, _split)[0][
            0, ..., channel
        ]
        return np.stack((texels[1, 0], texels[1, 1], texels[0, 1], texels[0, 0]), axis=-1)

    def _corners(
        self, layers: Long, coordinates: Coordinates, split: "Split"
    ) -> tuple[NDArray[Any], NDArray[np.float32]]:
        """Texels around coordinates, of shape (z, y, x, lanes, channels), and their weights, without the channels."""
        count, depth, height, width, _ = self.texels.shape
        if self.geometry.is_cube:
            faces, coordinates = on_cube(coordinates)
            layers = _FACES * np.clip(layers, 0, count // _FACES - 1) + faces
        else:
            layers = np.clip(layers, 0, count - 1)
        index: list[Any] = [layers]
        inside: Any = np.True_
        weight: Any = np.float32(1)
        for axis, extent in ((2, depth), (1, height), (0, width)):
            if axis >= len(coordinates):
                index.append(np.zeros((1,) * (axis + 2), np.int64))
                continue
            at, share = split(self._scaled(coordinates[axis], extent))
            shape = (-1, *(1,) * axis, len(layers))
            at = self._turned(axis, at, extent).reshape(shape)
            within = (at >= 0) & (at < extent)
            index.append(np.where(within, at, 0))
            inside = inside & within
            weight = weight * share.reshape(shape)
        texels = self._as_read(self.texels[tuple(index)])
        texels = texels.reshape((1,) * (5 - texels.ndim) + texels.shape)
        weight = weight.reshape((1,) * (4 - weight.ndim) + weight.shape)
        if not np.all(inside):
            texels = np.where(inside[..., None], texels, self._border(texels))
        return texels, weight

    def _border(self, texels: NDArray[Any]) -> NDArray[Any]:
        return np.array(self.border[: texels.shape[-1]], np.uint32).view(texels.dtype)

    def _scaled(self, coordinate: NDArray[np.float32], extent: int) -> NDArray[np.float64]:
        """Coordinates in texels; distant values and NaN are clamped to the range of an index."""
        wide = coordinate.astype(np.float64)
        scaled = wide * extent if self.normalised or self.geometry.is_cube else wide
        bounded: NDArray[np.float64] = np.fmin(np.fmax(scaled, -_FARTHEST), _FARTHEST)
        return bounded

    def _turned(self, axis: int, index: Long, extent: int) -> Long:
        """Indices inside for those outside; those of the border stay outside."""
        addressing = self.addressing[axis]
        turns = self.normalised or addressing is Addressing.BORDER
        return _ADDRESSINGS[addressing if turns else Addressing.CLAMP](index, extent)

    def _as_read(self, texels: NDArray[Any]) -> NDArray[Any]:
        """Channels as float32, or as 32-bit integers."""
        if self.values_normalised:
            largest = np.float32(np.iinfo(texels.dtype).max)
            scaled: NDArray[np.float32] = np.maximum(texels.astype(np.float32) / largest, np.float32(-1))
            return scaled
        return texels.astype({"f": np.float32, "i": np.int32, "u": np.uint32}[texels.dtype.kind])


Split = Callable[[NDArray[np.float64]], tuple[Long, NDArray[np.float32]]]
"""The indices of the texels that a coordinate needs on one axis, and their weights: a row for each."""


def _whole(coordinate: NDArray[np.float64]) -> tuple[Long, NDArray[np.float32]]:
    index = np.floor(coordinate).astype(np.int64)[None]
    return index, np.ones(index.shape, np.float32)


def _split(coordinate: NDArray[np.float64]) -> tuple[Long, NDArray[np.float32]]:
    fixed = np.floor((coordinate - 0.5) * _FRACTIONS + 0.5).astype(np.int64)
    before, fraction = fixed // _FRACTIONS, (fixed % _FRACTIONS) / _FRACTIONS
    return np.stack((before, before + 1)), np.stack((1 - fraction, fraction)).astype(np.float32)


def on_cube(direction: Coordinates) -> tuple[Long, Coordinates]:
    """The face that a direction meets, and the coordinates on it, from 0 to 1.

    Source: CUDA C++ Programming Guide, "Cubemap Textures".
    """
    x, y, z = (part.astype(np.float64) for part in direction)
    wide, high, deep = np.abs(x), np.abs(y), np.abs(z)
    along_x, along_y = (wide >= high) & (wide >= deep), (high >= deep)
    chosen = [along_x & (x >= 0), along_x, along_y & (y >= 0), along_y, z >= 0]
    face = np.select(chosen, [0, 1, 2, 3, 4], 5)
    largest = np.maximum(np.maximum(wide, high), deep)
    s = np.select(chosen, [-z, z, x, x, x], -x)
    t = np.select(chosen, [-y, -y, z, -z, -y], -y)
    with np.errstate(invalid="ignore", divide="ignore"):
        return face, [((part / largest + 1) / 2).astype(np.float32) for part in (s, t)]


def _mirrored(coordinate: Long, extent: int) -> Long:
    turned = coordinate % (2 * extent)
    return np.where(turned < extent, turned, 2 * extent - 1 - turned)


_ADDRESSINGS: dict[Addressing, Callable[[Long, int], Long]] = {
    Addressing.CLAMP: lambda coordinate, extent: np.minimum(np.maximum(coordinate, 0), extent - 1),
    Addressing.WRAP: lambda coordinate, extent: coordinate % extent,
    Addressing.MIRROR: _mirrored,
    Addressing.BORDER: lambda coordinate, _extent: coordinate,
}
