"""Rung `shared`: a block counts its bytes in shared memory, then adds its 256 counts to the result.

A block takes 4096 bytes, so that the last step is a small part of the work.
"""

# launch: histogram block=256 grid=ceil(n/4096)

from numba import cuda, int32

VALUES = 256
BYTES_PER_BLOCK = 4096


@cuda.jit
def histogram(data, counts, n):
    bins = cuda.shared.array(VALUES, int32)
    me = cuda.threadIdx.x

    bins[me] = 0
    cuda.syncthreads()
    begin = cuda.blockIdx.x * BYTES_PER_BLOCK
    end = min(n, begin + BYTES_PER_BLOCK)
    for i in range(begin + me, end, VALUES):
        cuda.atomic.add(bins, data[i], 1)
    cuda.syncthreads()
    cuda.atomic.add(counts, me, bins[me])
