"""Texture and surface objects of a program. Source: CUDA Runtime API, "Texture Object Management"."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from grader.engines.emulator.decode.geometries import Geometry
from grader.engines.emulator.memory_map import DeviceMemory
from grader.engines.emulator.services.samplers import Sampler
from grader.engines.emulator.services.surfaces import Surface
from grader.model.reason import Reason, reason
from grader.model.texture import Addressing, Filtering
from grader.programs.allocations import Allocation
from grader.programs.arrays import ArrayShape, ElementFormat
from grader.programs.error_codes import Error

ALIGNMENT = 512
"""``textureAlignment`` of a device: what the address of linear memory must be a multiple of."""

PITCH_ALIGNMENT = 32
"""``texturePitchAlignment``: what the bytes from row to row must be a multiple of."""

_DESCRIPTION = struct.Struct("<20Q")
_ADDRESSINGS = (Addressing.WRAP, Addressing.CLAMP, Addressing.MIRROR, Addressing.BORDER)
_FILTERINGS = (Filtering.POINT, Filtering.LINEAR)
_WIDE = 32


class Resource(IntEnum):
    """``cudaResourceType``, without mipmaps, which the runtime refuses."""

    ARRAY = 0
    LINEAR = 2
    PITCHED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """A ``cudaResourceDesc`` and a ``cudaTextureDesc``, as ``runtime/textures.cpp`` sends them.

    ``width`` is in bytes for linear memory, in elements for pitched memory.
    """

    resource: int
    address: int
    format: ElementFormat | None
    width: int
    height: int
    pitch: int
    addressing: tuple[int, ...]
    filtering: int
    reads_normalised: bool
    border: tuple[int, ...]
    normalised: bool

    @classmethod
    def of(cls, packed: bytes) -> "Description":
        """The description in a request."""
        resource, address, *rest = _DESCRIPTION.unpack(packed)
        bits, (kind, width, height, pitch), modes = tuple(rest[:4]), rest[4:8], rest[8:]
        return cls(
            resource=resource,
            address=address,
            format=ElementFormat.of(bits, kind),
            width=width,
            height=height,
            pitch=pitch,
            addressing=tuple(modes[:3]),
            filtering=modes[3],
            reads_normalised=bool(modes[4]),
            border=tuple(modes[5:9]),
            normalised=bool(modes[9]),
        )


@dataclass(frozen=True, slots=True)
class Refusal:
    """The error of a call, and its reason."""

    error: Error
    problem: Reason


def sampler_of(given: Description, allocation: Allocation, shape: ArrayShape | None) -> Sampler | Refusal:
    """How a texture reads ``allocation``; ``shape`` is that of an array."""
    element = given.format if shape is None else shape.format
    if element is None:
        return Refusal(Error.INVALID_CHANNEL_DESCRIPTOR, reason("array-format"))
    refused = next(_problems(given, allocation, element, shape), None)
    if refused is not None:
        return refused
    if shape is not None:
        geometry = shape.geometry
        extents = (shape.layers, shape.slices // shape.layers, shape.rows, shape.width)
        pitch, start = shape.row_bytes, 0
    elif given.resource == Resource.LINEAR:
        geometry, extents = Geometry.MEMORY, (1, 1, 1, given.width // element.size)
        pitch, start = given.width, given.address - allocation.address
    else:
        geometry, extents = Geometry.PLANE, (1, 1, given.height, given.width)
        pitch, start = given.pitch, given.address - allocation.address
    slices = pitch * extents[2]
    strides = (slices * extents[1], slices, pitch, element.size, element.dtype.itemsize)
    texels = np.ndarray((*extents, element.channels), element.dtype, allocation.data.data, start, strides)
    return Sampler(
        geometry=geometry,
        texels=texels,
        filtering=_FILTERINGS[given.filtering],
        addressing=tuple(_ADDRESSINGS[each] for each in given.addressing),
        normalised=given.normalised,
        values_normalised=given.reads_normalised and element.is_integer,
        border=given.border,
    )


def _problems(
    given: Description, allocation: Allocation, element: ElementFormat, shape: ArrayShape | None
) -> Iterator[Refusal]:
    """Why CUDA allows no such texture."""
    if given.filtering >= len(_FILTERINGS) or max(given.addressing) >= len(_ADDRESSINGS):
        yield Refusal(Error.INVALID_VALUE, reason("texture-modes"))
    if element.is_integer and element.bits == _WIDE and given.reads_normalised:
        yield Refusal(Error.INVALID_NORM_SETTING, reason("texture-normalises-words"))
    if given.filtering and element.is_integer and not given.reads_normalised:
        yield Refusal(Error.INVALID_FILTER_SETTING, reason("texture-filters-integers"))
    if shape is not None:
        return
    if given.filtering and given.resource == Resource.LINEAR:
        yield Refusal(Error.INVALID_VALUE, reason("texture-filters-memory"))
    if given.address % ALIGNMENT:
        yield Refusal(Error.INVALID_VALUE, reason("texture-misaligned", multiple=ALIGNMENT))
    is_pitched = given.resource == Resource.PITCHED
    if is_pitched and (given.pitch % PITCH_ALIGNMENT or given.pitch < given.width * element.size):
        yield Refusal(Error.INVALID_VALUE, reason("texture-pitch", multiple=PITCH_ALIGNMENT))
    size = given.pitch * given.height if is_pitched else given.width
    if not element.size <= size <= allocation.end - given.address:
        yield Refusal(
            Error.INVALID_VALUE, reason("texture-beyond", name=allocation.name, size=allocation.size)
        )


def surface_of(allocation: Allocation, shape: ArrayShape) -> Surface:
    """How a surface accesses an array: the faces of a cubemap are layers."""
    flat = {Geometry.CUBE: Geometry.PLANES, Geometry.CUBES: Geometry.PLANES}
    data = allocation.data.reshape(shape.layers, shape.slices // shape.layers, shape.rows, shape.row_bytes)
    return Surface(flat.get(shape.geometry, shape.geometry), data)


class Objects:
    """The texture and surface objects of a program, by their handles; those of released memory end with it."""

    def __init__(self, memory: DeviceMemory) -> None:
        """``memory`` is where kernels look them up."""
        self._memory = memory
        self._owners: dict[int, Allocation] = {}
        self._last = 0

    def add(self, made: Sampler | Surface, owner: Allocation) -> int:
        """The handle of a new object."""
        self._last += 1
        if isinstance(made, Sampler):
            self._memory.samplers[self._last] = made
        else:
            self._memory.surfaces[self._last] = made
        self._owners[self._last] = owner
        return self._last

    def remove(self, handle: int) -> bool:
        """Forget an object. Returns: whether there was one."""
        self._memory.samplers.pop(handle, None)
        self._memory.surfaces.pop(handle, None)
        return self._owners.pop(handle, None) is not None

    def forget(self, released: Allocation) -> None:
        """Forget the objects of memory that was released."""
        for handle in [handle for handle, owner in self._owners.items() if owner is released]:
            self.remove(handle)
