"""Serve accesses of surfaces. Source: CUDA C++ Programming Guide, "Surface Functions"."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.engines.emulator.core.codes import EventKind
from grader.engines.emulator.decode.geometries import Geometry
from grader.engines.emulator.decode.program import Boundary, SurfaceAccess
from grader.engines.emulator.isa.cells import WARP
from grader.engines.emulator.services.request import Request

_UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
_LAYER, _Z, _Y, _X = range(4)
_AXES = {
    Geometry.LINE: (_X,),
    Geometry.PLANE: (_X, _Y),
    Geometry.VOLUME: (_X, _Y, _Z),
    Geometry.LINES: (_LAYER, _X),
    Geometry.PLANES: (_LAYER, _X, _Y),
}
"""The axis of each coordinate of an access."""


@dataclass(frozen=True, slots=True)
class Surface:
    """Bytes of shape (layers, depth, height, bytes of a row)."""

    geometry: Geometry
    data: NDArray[np.uint8]


def access(request: Request, surfaces: Mapping[int, Surface]) -> None:
    """Execute an access; ``surfaces`` are the surfaces by their handles."""
    detail = request.call.detail
    if not isinstance(detail, SurfaceAccess):
        msg = f"an access of a surface without its kind: {request.call}"
        raise TypeError(msg)
    handles = request.source(0)
    axes = _AXES[detail.geometry]
    wanted = np.zeros((4, WARP), np.int64)
    for number, axis in enumerate(axes):
        wanted[axis] = request.source(1 + number)
    read = np.zeros((WARP, detail.count * detail.element_bytes), np.uint8)
    for handle in set(handles[request.lanes].tolist()):
        lanes = np.array([lane for lane in request.lanes if handles[lane] == handle])
        surface = surfaces.get(handle)
        if surface is None or surface.geometry is not detail.geometry:
            _note(request, EventKind.NO_TEXTURE, handle, lanes)
            continue
        size = read.shape[1]
        position = wanted[:, lanes]
        is_aligned = position[_X] % size == 0
        _note(request, EventKind.SURFACE_MISALIGNED, size, lanes[~is_aligned])
        limits = np.array(surface.data.shape)[:, None] - np.array([1, 1, 1, size])[:, None]
        is_inside = ((position >= 0) & (position <= limits)).all(axis=0)
        if detail.boundary is Boundary.CLAMP:
            position = np.minimum(np.maximum(position, 0), limits)
            is_inside[:] = True
        elif detail.boundary is Boundary.TRAP:
            _note(request, EventKind.SURFACE_BOUNDS, size, lanes[~is_inside])
        done = is_aligned & is_inside
        layer, z, y, x = position[:, done, None]
        cells = (layer, z, y, x + np.arange(size))
        if detail.is_write:
            surface.data[cells] = _given(request, detail, 1 + len(axes))[lanes[done]]
        else:
            read[lanes[done]] = surface.data[cells]
    if not detail.is_write:
        for number, values in enumerate(read.view(_UNSIGNED[detail.element_bytes]).T):
            request.answer(number, values)


def _given(request: Request, detail: SurfaceAccess, first: int) -> NDArray[np.uint8]:
    """The bytes that each lane writes, of shape (lanes, bytes)."""
    type_ = _UNSIGNED[detail.element_bytes]
    elements = [request.source(first + number).astype(type_) for number in range(detail.count)]
    written: NDArray[Any] = np.stack(elements, axis=-1).view(np.uint8)
    return written


def _note(request: Request, kind: EventKind, address: int, lanes: NDArray[Any]) -> None:
    for lane in lanes.tolist():
        request.note(kind, address, 0, lane)
