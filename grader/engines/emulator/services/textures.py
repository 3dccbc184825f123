"""Serve reads of textures."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.engines.emulator.core.codes import EventKind
from grader.engines.emulator.decode.geometries import Geometry
from grader.engines.emulator.decode.program import Fetch
from grader.engines.emulator.isa.cells import WARP
from grader.engines.emulator.services.request import Request
from grader.engines.emulator.services.samplers import Sampler

_CHANNELS = 4


def read(request: Request, samplers: Mapping[int, Sampler]) -> None:
    """Execute a read; ``samplers`` are the textures by their handles."""
    detail = request.call.detail
    if not isinstance(detail, Fetch):
        msg = f"a read of a texture without its kind: {request.call}"
        raise TypeError(msg)
    handles = request.source(0)
    answer = np.zeros((_CHANNELS, WARP), np.int32)
    for handle in set(handles[request.lanes].tolist()):
        sampler = samplers.get(handle)
        if sampler is None or not _allows(sampler, detail):
            for lane in request.lanes:
                if handles[lane] == handle:
                    request.note(EventKind.NO_TEXTURE, handle, 0, lane)
            continue
        bits = np.ascontiguousarray(_values(request, detail, sampler).T).view(np.int32)
        np.copyto(answer[: len(bits)], bits, where=handles == handle)
    for channel in range(_CHANNELS):
        request.answer(channel, answer[channel])


def _allows(sampler: Sampler, detail: Fetch) -> bool:
    """Whether a texture supports this kind of read."""
    has_channel = detail.gathered is None or detail.gathered < sampler.texels.shape[-1]
    return sampler.geometry is detail.geometry and has_channel


def _values(request: Request, detail: Fetch, sampler: Sampler) -> NDArray[Any]:
    """What all lanes read, of shape (lanes, channels)."""
    first = 1 + detail.geometry.is_layered
    if detail.geometry is Geometry.MEMORY:
        return sampler.fetch(request.source(1).astype(np.int64))
    coordinates = [
        request.source(first + axis).view(np.float32) for axis in range(detail.geometry.coordinates)
    ]
    if detail.gathered is not None:
        return sampler.gather(coordinates, detail.gathered)
    layers = request.source(1).astype(np.int64) if detail.geometry.is_layered else np.zeros(WARP, np.int64)
    return sampler.sample(layers, coordinates)
