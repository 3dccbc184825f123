"""Textures on a real GPU, through CuPy."""

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
    """``texture`` over a copy of its buffer, as a kernel reads it.

    Raises (every method): CuPy's errors.
    """

    def __init__(self, cupy: Any, texture: Texture, buffer: Buffer) -> None:
        """Nothing is in it until it has taken something.

        Raises: ``ValueError`` where texels do not fill the buffer's rows.
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
        """What it takes on the device: an array that only the hardware can read is filled from a copy as long."""
        return int(self._texels.nbytes) * (1 if self._array is None else 2)

    @property
    def handle(self) -> int:
        """What a kernel is passed."""
        return int(self._object.ptr)

    def take(self, address: int) -> None:
        """Copy the buffer that is at ``address`` on the device. Queued on the current stream, not waited for."""
        copy(self._cupy, self._texels.data.ptr, address, self._texels.nbytes)
        if self._array is not None:
            self._array.copy_from(self._texels, self._cupy.cuda.get_current_stream())


def _descriptor(cupy: Any, texture: Texture) -> Any:
    """How the texture is sampled."""
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
