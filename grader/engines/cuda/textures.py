"""Textures on a real GPU, through CuPy."""

from typing import Any

import numpy as np

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


def texture_object(cupy: Any, texture: Texture, buffer: Buffer, data: bytes) -> Any:
    """CuPy's texture object for ``texture``, of a copy of ``data``, the bytes of its buffer; ``ptr`` is its handle.

    Raises: ``ValueError`` where texels do not fill the buffer's rows; CuPy's errors.
    """
    runtime, textures = cupy.cuda.runtime, cupy.cuda.texture
    width, height = texture.extents(buffer.shape, buffer.nbytes)
    dtype = np.dtype(texture.texel.value)
    texels = np.frombuffer(data, dtype).reshape(height, width * texture.channels)
    bits = [8 * dtype.itemsize if channel < texture.channels else 0 for channel in range(4)]
    channels = textures.ChannelFormatDescriptor(*bits, getattr(runtime, _KINDS[dtype.kind]))
    sampling = texture.sampling
    if sampling.fetched:
        resource = textures.ResourceDescriptor(
            runtime.cudaResourceTypeLinear,
            arr=cupy.asarray(texels.reshape(-1)),
            chDesc=channels,
            sizeInBytes=buffer.nbytes,
        )
    else:
        array = textures.CUDAarray(channels, width, height if texture.dimensions > 1 else 0)
        array.copy_from(texels if texture.dimensions > 1 else texels.reshape(-1))
        resource = textures.ResourceDescriptor(runtime.cudaResourceTypeArray, cuArr=array)
    modes = (getattr(runtime, _MODES[sampling.addressing]),) * texture.dimensions
    reads_numbers = (
        runtime.cudaReadModeNormalizedFloat if texture.values_normalised else runtime.cudaReadModeElementType
    )
    descriptor = textures.TextureDescriptor(
        addressModes=modes,
        filterMode=getattr(runtime, _FILTERS[sampling.filtering]),
        readMode=reads_numbers,
        normalizedCoords=int(sampling.normalised),
    )
    return textures.TextureObject(resource, descriptor)
