"""Rung `expert`: whatever the floats are called, they lie in a row: four a thread, a block apart.

Adding one does not ask which component a float is. So neither points nor records need a thread of their own, nor shared
memory: neighbouring threads take neighbouring floats. Numba has no loads of 16 bytes; instead each thread has four
loads on their way before it needs the first. What is left is the time that memory takes to move the data twice.
"""

from numba import cuda, float32

BLOCK = 256
GROUP = 4 * BLOCK


@cuda.jit(device=True)
def increment_all(x, count):
    """Add one to each of count floats, 1024 floats a block."""
    i = cuda.blockIdx.x * GROUP + cuda.threadIdx.x
    if i + 3 * BLOCK < count:
        first = x[i]
        second = x[i + BLOCK]
        third = x[i + 2 * BLOCK]
        fourth = x[i + 3 * BLOCK]
        x[i] = first + float32(1.0)
        x[i + BLOCK] = second + float32(1.0)
        x[i + 2 * BLOCK] = third + float32(1.0)
        x[i + 3 * BLOCK] = fourth + float32(1.0)
    else:
        for k in range(i, count, BLOCK):
            x[k] += float32(1.0)


# launch: increment block=256 grid=ceil(n/1024)
@cuda.jit
def increment(x, n):
    """Add one to each of n floats."""
    increment_all(x, n)


# launch: increment_float3 block=256 grid=ceil(3*n/1024)
@cuda.jit
def increment_float3(points, n):
    """Add one to the components of n points."""
    increment_all(points.reshape(3 * n), 3 * n)


# launch: increment_records block=256 grid=ceil(32*n/1024)
@cuda.jit
def increment_records(records, n):
    """Add one to the fields of n records."""
    increment_all(records.reshape(32 * n), 32 * n)
