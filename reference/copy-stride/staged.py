"""Rung `staged`: the source is read from the start of a sector on, and shifted in shared memory.

This is what the lecture advises wherever global memory cannot be read in order. Each block reads its 256 floats and up
to seven before them, so that every request begins where a sector begins, and each thread then takes its float from
shared memory. The sector that the direct kernel touches too often was in the cache anyway: memory delivers the same
bytes, and the barrier comes on top.
"""

from numba import cuda, float32

BLOCK = 256
SECTOR = 8
FLOATS = BLOCK + SECTOR  # a shared array's shape must be made of constants: no sums inside the kernel


# launch: copy_offset block=256 grid=ceil(n/256)
@cuda.jit
def copy_offset(x, shifted, n, offset):
    """shifted[i] = x[i + offset], through a tile that begins where a sector begins."""
    tile = cuda.shared.array(FLOATS, float32)

    t = cuda.threadIdx.x
    i = cuda.grid(1)
    shift = offset % SECTOR
    first = cuda.blockIdx.x * BLOCK + offset - shift
    for k in range(t, BLOCK + shift, BLOCK):
        if first + k < offset + n:
            tile[k] = x[first + k]
    cuda.syncthreads()
    if i < n:
        shifted[i] = tile[t + shift]
