"""Rung `records_staged`: 64 records at a time pass through shared memory; still one thread per record.

Straight from global memory, a warp's request touches 32 sectors for 32 floats, and every sector is written eight times
over, a float at a time. Through shared memory each sector is read once and written once. A row of the tile has 33
words, so that the threads, each in its own row, are in 32 different banks. Two barriers limit it now, and that only a
quarter of the threads are busy between them.
"""

from numba import cuda, float32

RECORDS = 64
FIELDS = 32
PITCH = FIELDS + 1
BLOCK = 256


# launch: increment_records block=256 grid=ceil(n/64)
@cuda.jit
def increment_records(records, n):
    """Add one to the fields of n records, 64 records a block."""
    tile = cuda.shared.array((RECORDS, PITCH), float32)

    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * RECORDS
    for k in range(t, RECORDS * FIELDS, BLOCK):
        if first + k // FIELDS < n:
            tile[k // FIELDS, k % FIELDS] = records[first + k // FIELDS, k % FIELDS]
    cuda.syncthreads()
    if t < RECORDS and first + t < n:
        for k in range(FIELDS):
            tile[t, k] += float32(1.0)
    # What a thread writes back, others have incremented.
    cuda.syncthreads()
    for k in range(t, RECORDS * FIELDS, BLOCK):
        if first + k // FIELDS < n:
            records[first + k // FIELDS, k % FIELDS] = tile[k // FIELDS, k % FIELDS]
