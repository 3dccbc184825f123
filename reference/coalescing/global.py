"""Rung `global`: as a loop on a CPU would be split among threads.

`increment` gives each thread eight neighbouring floats, the other two kernels one point or one record. A thread's own
accesses are neighbours, but those that a warp makes in the same moment are not: they are 32, 12 and 128 bytes apart. A
float that lies alone in its sector of 32 bytes costs as much to move as all eight. Only float3 is close enough together
not to suffer: the cache keeps the sectors until all three components have been read.
"""

from numba import cuda, float32

CHUNK = 8
FIELDS = 32


# launch: increment block=256 grid=ceil(n/2048)
@cuda.jit
def increment(x, n):
    """Add one to each of n floats, eight neighbours a thread."""
    first = CHUNK * cuda.grid(1)
    for k in range(CHUNK):
        if first + k < n:
            x[first + k] += float32(1.0)


@cuda.jit
def increment_float3(points, n):
    """Add one to the components of n points, one point a thread."""
    i = cuda.grid(1)
    if i < n:
        # All three are read before the first is written.
        first = points[i, 0]
        second = points[i, 1]
        third = points[i, 2]
        points[i, 0] = first + float32(1.0)
        points[i, 1] = second + float32(1.0)
        points[i, 2] = third + float32(1.0)


@cuda.jit
def increment_records(records, n):
    """Add one to the fields of n records, one record a thread."""
    i = cuda.grid(1)
    if i < n:
        for k in range(FIELDS):
            records[i, k] += float32(1.0)
