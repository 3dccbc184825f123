"""Rung `expert`: whatever the floats are called, they lie in a row: four a thread, a block apart.

Adding one does not ask which component a float is. So neither points nor records need a thread of their own, nor shared
memory: neighbouring threads take neighbouring floats. Numba has no loads of 16 bytes; instead each thread has four
loads on their way before it needs the first. Nor can it look at a matrix as a row of floats inside a kernel, so row and
column are computed. What is left is the time that memory takes to move the data twice.
"""

from numba import cuda, float32, uint32

BLOCK = 256
GROUP = 4 * BLOCK


# launch: increment block=256 grid=ceil(n/1024)
@cuda.jit
def increment(x, n):
    """Add one to each of n floats, 1024 a block."""
    i = cuda.blockIdx.x * GROUP + cuda.threadIdx.x
    if i + 3 * BLOCK < n:
        first = x[i]
        second = x[i + BLOCK]
        third = x[i + 2 * BLOCK]
        fourth = x[i + 3 * BLOCK]
        x[i] = first + float32(1.0)
        x[i + BLOCK] = second + float32(1.0)
        x[i + 2 * BLOCK] = third + float32(1.0)
        x[i + 3 * BLOCK] = fourth + float32(1.0)
    else:
        for k in range(i, n, BLOCK):
            x[k] += float32(1.0)


# launch: increment_float3 block=256 grid=ceil(3*n/768)
@cuda.jit
def increment_float3(points, n):
    """Add one to the components of n points, 768 floats a block, three a thread."""
    point = cuda.blockIdx.x * BLOCK
    t = uint32(cuda.threadIdx.x)
    # 256 floats on are 85 points and one component on; unsigned numbers divide without a case for negative ones.
    row1 = point + t // uint32(3)
    row2 = point + (t + uint32(BLOCK)) // uint32(3)
    row3 = point + (t + uint32(2 * BLOCK)) // uint32(3)
    col1 = t % uint32(3)
    col2 = (t + uint32(BLOCK)) % uint32(3)
    col3 = (t + uint32(2 * BLOCK)) % uint32(3)
    if row3 < n:
        first = points[row1, col1]
        second = points[row2, col2]
        third = points[row3, col3]
        points[row1, col1] = first + float32(1.0)
        points[row2, col2] = second + float32(1.0)
        points[row3, col3] = third + float32(1.0)
    else:
        if row1 < n:
            points[row1, col1] += float32(1.0)
        if row2 < n:
            points[row2, col2] += float32(1.0)


# launch: increment_records block=32,8 grid=ceil(n/32)
@cuda.jit
def increment_records(records, n):
    """Add one to the fields of n records, 32 records a block: a warp has one record, then the eighth after it."""
    field = cuda.threadIdx.x
    i = cuda.blockIdx.x * 32 + cuda.threadIdx.y
    if i + 24 < n:
        first = records[i, field]
        second = records[i + 8, field]
        third = records[i + 16, field]
        fourth = records[i + 24, field]
        records[i, field] = first + float32(1.0)
        records[i + 8, field] = second + float32(1.0)
        records[i + 16, field] = third + float32(1.0)
        records[i + 24, field] = fourth + float32(1.0)
    else:
        for k in range(i, n, 8):
            records[k, field] += float32(1.0)
