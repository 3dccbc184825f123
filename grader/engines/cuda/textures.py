"""Texture objects on a real GPU, through CuPy."""

from typing import Any

import numpy as np

from grader.engines.cuda.transfer import copy
from grader.model.plan import Buffer
from grader.model.texture import Addressing, Filtering, Texture

_MODES = {
    Addressing.CLAMP: "cudaAddressModeClamp",
    Addressing.WRAP: "cudaAddressModeWrap",
    Addressing.MIRROR: "cudaAddressModeMirror",
    Addressing.BORDER: "cudaAddressModeBorder",
}
_FILTERS = {Filtering.POINT: "cudaFilterModePoint", Filtering.LINEAR: "cudaFilterModeLinear"}
_KINDS = {
    "f": "cudaChannelFormatKindFloat",
    "i": "cudaChannelFormatKindSigned",
    "u": "cudaChannelFormatKindUnsigned",
}


class TextureCopy:
    """A texture object over a copy of its buffer.

    Raises (every method): CuPy's errors.
    """

    def __init__(self, cupy: Any, texture: Texture, buffer: Buffer) -> None:
        """Allocate it; ``take`` fills it.

        Raises: ``ValueError`` where the buffer's rows are not whole texels.
        """
        runtime, textures = cupy.cuda.runtime, cupy.cuda.texture
        self._cupy = cupy
        width, height = texture.extents(buffer.shape, buffer.nbytes)
        dtype = np.dtype(texture.texel.value)
        rows = (height,) if texture.dimensions > 1 else ()
        self._texels = cupy.empty((*rows, width * texture.channels), dtype)
        bits = [8 * dtype.itemsize if channel < texture.channels else 0 for channel in range(4)]
        channels = textures.ChannelFormatDescriptor(*bits, getattr(runtime, _KINDS[dtype.kind]))
        self._array: Any = None
        if texture.sampling.fetched:
            resource = textures.ResourceDescriptor(
                runtime.cudaResourceTypeLinear, arr=self._texels, chDesc=channels, sizeInBytes=buffer.nbytes
            )
        else:
            self._array = textures.CUDAarray(channels, width, height if texture.dimensions > 1 else 0)
            resource = textures.ResourceDescriptor(runtime.cudaResourceTypeArray, cuArr=self._array)
        self._object = textures.TextureObject(resource, _descriptor(cupy, texture))

    @property
    def nbytes(self) -> int:
        """Device memory: a CUDA array, which only texture hardware reads, has a linear copy beside it."""
        return int(self._texels.nbytes) * (1 if self._array is None else 2)

    @property
    def handle(self) -> int:
        """The texture object's handle, a kernel argument."""
        return int(self._object.ptr)

    def take(self, address: int) -> None:
        """Copy the buffer at device address ``address``. Asynchronous on the current stream."""
        copy(self._cupy, self._texels.data.ptr, address, self._texels.nbytes)
        if self._array is not None:
            self._array.copy_from(self._texels, self._cupy.cuda.get_current_stream())


def _descriptor(cupy: Any, texture: Texture) -> Any:
    """The texture's sampling parameters."""
    runtime, sampling = cupy.cuda.runtime, texture.sampling
    reads_numbers = (
        runtime.cudaReadModeNormalizedFloat if texture.values_normalised else runtime.cudaReadModeElementType
    )
    return cupy.cuda.texture.TextureDescriptor(
        addressModes=(getattr(runtime, _MODES[sampling.addressing]),) * texture.dimensions,
        filterMode=getattr(runtime, _FILTERS[sampling.filtering]),
        readMode=reads_numbers,
        normalizedCoords=int(sampling.normalised),
    )
