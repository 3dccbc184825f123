"""Rung `expert`: each row gets as many threads as it is worth.

A block has 128 rows, and looks at their lengths first. Rows of up to 16 nonzeros are summed by one thread
each: a warp's 32 rows lie side by side in memory, so what its lanes read apart comes from sectors that the
L1 has. Rows of up to 512 are summed by a warp, one after the other, which coalesces their loads. Longer
rows are put on a list and summed by the whole block. No warp is ever busy with a row of thousands
alone, and none is kept waiting for a row of three. Each sum is made in an order that depends on nothing
but the row, so the result is the same at every run, although the list fills in any order. What limits the
kernel now are the elements of x: 32 bytes come from memory or the L2 for four that are used.
"""

# launch: spmv block=128 grid=ceil(rows/128)

from numba import cuda, float32, int32

ROWS = 128
WARPS = ROWS // 32
SHORT = 16
LONG = 512
EVERYONE = 0xFFFFFFFF


@cuda.jit(device=True)
def sum_of_warp(value):
    """The sum of the 32 lanes' values, in every lane."""
    distance = 16
    while distance > 0:
        value += cuda.shfl_xor_sync(EVERYONE, value, distance)
        distance //= 2
    return value


@cuda.jit(device=True)
def sum_of_block(value):
    """The sum of all threads' values, in every thread."""
    parts = cuda.shared.array(WARPS, float32)
    value = sum_of_warp(value)
    if cuda.threadIdx.x % 32 == 0:
        parts[cuda.threadIdx.x // 32] = value
    cuda.syncthreads()
    total = parts[0] + parts[1] + parts[2] + parts[3]
    # Nobody may leave the parts of the next row while these are being added up.
    cuda.syncthreads()
    return total


@cuda.jit(device=True)
def sum_of_products(columns, values, x, begin, end, step):
    """The products begin, begin + step, begin + 2 * step, ... of a row that ends before end."""
    total = float32(0.0)
    for i in range(begin, end, step):
        total += values[i] * x[columns[i]]
    return total


@cuda.jit
def spmv(row_starts, columns, values, x, y, rows):
    """Compute y = A x, A in CSR: a thread, a warp or a block per row, by its length."""
    long_rows = cuda.shared.array(ROWS, int32)
    long_count = cuda.shared.array(1, int32)

    me = cuda.threadIdx.x
    lane = me % 32
    row = cuda.blockIdx.x * ROWS + me

    if me == 0:
        long_count[0] = 0
    cuda.syncthreads()

    # Threads behind the last row have an empty one.
    begin = row_starts[min(row, rows)]
    end = row_starts[min(row + 1, rows)]
    length = end - begin
    if length > LONG:
        long_rows[cuda.atomic.add(long_count, 0, 1)] = row

    mine = float32(0.0)
    if length <= SHORT:
        mine = sum_of_products(columns, values, x, begin, end, 1)
    # All lanes together: the rows of this warp that are too long for a lane and not too long for a warp.
    left = cuda.ballot_sync(EVERYONE, length > SHORT and length <= LONG)
    for owner in range(32):
        if left >> owner & 1:
            first = cuda.shfl_sync(EVERYONE, begin, owner)
            last = cuda.shfl_sync(EVERYONE, end, owner)
            total = sum_of_warp(sum_of_products(columns, values, x, first + lane, last, 32))
            if lane == owner:
                mine = total
    if row < rows and length <= LONG:
        y[row] = mine
    cuda.syncthreads()

    for k in range(long_count[0]):
        first = row_starts[long_rows[k]]
        last = row_starts[long_rows[k] + 1]
        total = sum_of_block(sum_of_products(columns, values, x, first + me, last, ROWS))
        if me == 0:
            y[long_rows[k]] = total
