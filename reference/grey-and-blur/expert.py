"""Rung `expert`: a window is a row of column sums.

A block marches down 32 rows: each thread keeps the sum of the window's rows in its column, adds the row that comes in
and takes away the row that leaves; then it adds up its neighbours' sums in shared memory.
"""

# launch: blur block=128 grid=ceil(cols/112),ceil(rows/32)

from numba import cuda, int32

THREADS = 128
MOST = 8
STRIP = THREADS - 2 * MOST
ROWS = 32


@cuda.jit
def blur(picture, blurred, rows, cols, radius):
    sums = cuda.shared.array((2, THREADS), int32)
    me = int32(cuda.threadIdx.x)
    col = int32(cuda.blockIdx.x * STRIP) + me - MOST
    there = col >= 0 and col < cols
    first = int32(cuda.blockIdx.y * ROWS)
    wide = min(cols - 1, col + radius) - max(0, col - radius) + 1

    total = int32(0)
    for r in range(max(0, first - radius), min(rows, first + radius)):
        if there:
            total += int32(picture[r, col])
    for row in range(first, min(rows, first + ROWS)):
        if there and row + radius < rows:
            total += int32(picture[row + radius, col])
        # Two lines take turns, so that one barrier for each row is enough.
        line = row % 2
        sums[line, me] = total
        cuda.syncthreads()
        if there and me >= MOST and me < MOST + STRIP:
            window = int32(0)
            for j in range(me - radius, me + radius + 1):
                window += sums[line, j]
            high = min(rows - 1, row + radius) - max(0, row - radius) + 1
            blurred[row, col] = window // int32(high * wide)
        if there and row - radius >= 0:
            total -= int32(picture[row - radius, col])
