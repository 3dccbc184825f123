"""What is found about the arrays, textures and surfaces of a whole program."""

from grader.messages.message import Message, message

ARRAYS: dict[str, Message] = {
    "array-format": message(
        "an element has 1, 2 or 4 channels, all of 8, 16 or 32 bits: integers, or numbers of 16 or 32 bits"
    ),
    "array-extents": message(
        "no array has {width:,} x {height:,} x {depth:,} elements with these flags: a cubemap has 6 equal squares, and"
        " an array that is gathered has 2 dimensions"
    ),
    "array-partial-elements": message("{name} has elements of {size} bytes, and the copy splits one"),
    "copy-outside-array": message(
        "the {role} of the copy is outside {name}, an array of {width:,} x {height:,} x {depth:,} elements"
    ),
    "array-x-in-bytes": message(
        "x and width are in bytes in cudaMemcpy2DToArray and its kind, and in elements in cudaMemcpy3D with an array"
    ),
    "array-elements-differ": message(
        "the target's elements have {target} bytes, the source's {source}: CUDA copies equal elements only"
    ),
    "array-released": message("{name} is already released"),
    "not-an-array": message("the handle is not that of a CUDA array"),
    "array-as-pointer": message("{name} is a CUDA array, not memory that a pointer reaches"),
    "copy-array-by": message("copy it with cudaMemcpy2DToArray, cudaMemcpy2DFromArray or cudaMemcpy3D"),
    "texture-of-no-memory": message("the texture's memory is not memory of the device"),
    "texture-modes": message("the texture has an address mode or a filter mode that CUDA does not have"),
    "texture-normalises-words": message(
        "integers of 32 bits cannot be read as normalised numbers: use cudaReadModeElementType"
    ),
    "texture-filters-integers": message(
        "integers cannot be filtered: use cudaFilterModePoint, or cudaReadModeNormalizedFloat for 8 and 16 bits"
    ),
    "texture-filters-memory": message(
        "linear memory cannot be filtered: use cudaFilterModePoint, or an array"
    ),
    "texture-misaligned": message("the texture's memory must start at a multiple of {multiple} bytes"),
    "texture-pitch": message(
        "the texture's pitch must hold a row and be a multiple of {multiple} bytes: take it from cudaMallocPitch"
    ),
    "texture-beyond": message("the texture does not fit into {name}, which has {size:,} bytes"),
    "surface-of-plain-array": message(
        "{name} was not made for surfaces: pass cudaArraySurfaceLoadStore to cudaMallocArray or cudaMalloc3DArray"
    ),
}
