"""CUDA arrays: formats, extents, and where a box of elements lies. Source: CUDA Runtime API, "Memory Management"."""

from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import Any

import numpy as np

from grader.engines.emulator.decode.geometries import Geometry

_CHANNELS = frozenset({1, 2, 4})
_FACES = 6


class FormatKind(IntEnum):
    """``cudaChannelFormatKind``, as far as arrays here have it."""

    SIGNED = 0
    UNSIGNED = 1
    FLOAT = 2


_LETTERS = {FormatKind.SIGNED: "i", FormatKind.UNSIGNED: "u", FormatKind.FLOAT: "f"}
_BITS = {
    FormatKind.SIGNED: frozenset({8, 16, 32}),
    FormatKind.UNSIGNED: frozenset({8, 16, 32}),
    FormatKind.FLOAT: frozenset({16, 32}),
}


class ArrayFlag(IntFlag):
    """Flags of ``cudaMalloc3DArray``."""

    LAYERED = 1
    SURFACE = 2
    CUBEMAP = 4
    GATHER = 8


ALL_FLAGS = ArrayFlag.LAYERED | ArrayFlag.SURFACE | ArrayFlag.CUBEMAP | ArrayFlag.GATHER


@dataclass(frozen=True, slots=True)
class ElementFormat:
    """An element of ``channels`` channels of ``bits`` bits each."""

    kind: FormatKind
    bits: int
    channels: int

    @classmethod
    def of(cls, bits: tuple[int, ...], kind: int) -> "ElementFormat | None":
        """The format of a ``cudaChannelFormatDesc``; ``None`` for one that CUDA does not allow."""
        channels = sum(each > 0 for each in bits)
        is_known = kind in set(FormatKind) and channels in _CHANNELS
        if not is_known or bits != (bits[0],) * channels + (0,) * (len(bits) - channels):
            return None
        known = FormatKind(kind)
        return cls(known, bits[0], channels) if bits[0] in _BITS[known] else None

    @property
    def size(self) -> int:
        """Bytes of an element."""
        return self.channels * self.bits // 8

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of a channel."""
        return np.dtype(f"<{_LETTERS[self.kind]}{self.bits // 8}")

    @property
    def is_integer(self) -> bool:
        """Whether a channel is an integer."""
        return self.kind is not FormatKind.FLOAT


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """Elements of an array from ``x``, ``y``, ``z`` on. ``x`` and ``width`` are in bytes."""

    x: int
    y: int
    z: int
    width: int
    height: int
    depth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayShape:
    """An array of ``width`` by ``height`` by ``depth`` elements; a height or depth of 0 is a missing dimension.

    Rows follow each other without gaps. The layers of an array, and the faces of a cubemap, are its depth.
    """

    format: ElementFormat
    width: int
    height: int
    depth: int
    flags: ArrayFlag

    @property
    def rows(self) -> int:
        """Rows of a slice."""
        return max(self.height, 1)

    @property
    def slices(self) -> int:
        """Slices, layers or faces."""
        return max(self.depth, 1)

    @property
    def row_bytes(self) -> int:
        """Bytes of a row."""
        return self.width * self.format.size

    @property
    def size(self) -> int:
        """Bytes of the array."""
        return self.row_bytes * self.rows * self.slices

    @property
    def is_valid(self) -> bool:
        """Whether CUDA allows these extents with these flags."""
        if self.width < 1 or self.flags & ~ALL_FLAGS:
            return False
        is_layered, is_cube = ArrayFlag.LAYERED in self.flags, ArrayFlag.CUBEMAP in self.flags
        if ArrayFlag.GATHER in self.flags and (self.depth or not self.height or is_layered):
            return False
        if is_cube:
            faces_fit = self.depth % _FACES == 0 if is_layered else self.depth == _FACES
            return self.width == self.height and self.depth > 0 and faces_fit
        if is_layered:
            return self.depth > 0
        return self.height > 0 or self.depth == 0

    @property
    def geometry(self) -> Geometry:
        """The kind of texture that reads it."""
        is_layered = ArrayFlag.LAYERED in self.flags
        if ArrayFlag.CUBEMAP in self.flags:
            return Geometry.CUBES if is_layered else Geometry.CUBE
        if is_layered:
            return Geometry.PLANES if self.height else Geometry.LINES
        if self.depth:
            return Geometry.VOLUME
        return Geometry.PLANE if self.height else Geometry.LINE

    @property
    def layers(self) -> int:
        """The first dimension of its texels; a volume has one layer."""
        return 1 if self.geometry is Geometry.VOLUME else self.slices

    def holds(self, box: Box) -> bool:
        """Whether a box lies inside."""
        return (
            box.x + box.width <= self.row_bytes
            and box.y + box.height <= self.rows
            and box.z + box.depth <= self.slices
        )

    def offset(self, box: Box) -> int:
        """The first byte of a box."""
        return (box.z * self.rows + box.y) * self.row_bytes + box.x
