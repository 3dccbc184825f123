"""Rung `expert`: a block takes eight rows at a time, and its warps walk along them, without divisions.

Each thread remembers whether one of its cells moves; the block votes once per sweep.
"""

# launch: solve block=32,8 grid=min(ceil(rows/8),160)

from numba import cuda, float32, int32

FLAGS = 3
LANES = 32
ROWS = 8


@cuda.jit(device=True)
def top():
    return int32(ROWS * cuda.blockIdx.x + cuda.threadIdx.y)


@cuda.jit(device=True)
def around(heat, rows, cols, row, col):
    cold = float32(0.0)
    left = heat[row, col - 1] if col > 0 else cold
    right = heat[row, col + 1] if col < cols - 1 else cold
    up = heat[row - 1, col] if row > 0 else cold
    down = heat[row + 1, col] if row < rows - 1 else cold
    return left + right + up + down


@cuda.jit(device=True)
def moves(heat, source, following, share, least, rows, cols):
    any_moves = False
    for row in range(top(), rows, ROWS * int32(cuda.gridDim.x)):
        for col in range(int32(cuda.threadIdx.x), cols, LANES):
            value = (around(heat, rows, cols, row, col) + source[row, col]) * share
            following[row, col] = value
            any_moves |= abs(value - heat[row, col]) > least
    return any_moves


@cuda.jit
def solve(source, solved, other, flags, loss, least, rows, cols):
    grid = cuda.cg.this_grid()
    first = top() == 0 and cuda.threadIdx.x == 0
    share = float32(1.0) / (float32(4.0) + loss)
    # The first sweep starts from a cold plate: it needs no neighbours, and no array that is cold.
    for row in range(top(), rows, ROWS * int32(cuda.gridDim.x)):
        for col in range(int32(cuda.threadIdx.x), cols, LANES):
            solved[row, col] = source[row, col] * share
    if first:
        flags[0] = 0
    grid.sync()

    heat = solved
    following = other
    rounds = 0
    moving = True
    while moving:
        # Of three flags, one is set, one was read last and may still be, and one can be reset.
        mine = rounds % FLAGS
        if first:
            flags[(rounds + 1) % FLAGS] = 0
        mover = moves(heat, source, following, share, least, rows, cols)
        if cuda.syncthreads_or(int32(mover)) and cuda.threadIdx.x == 0 and cuda.threadIdx.y == 0:
            cuda.atomic.exch(flags, mine, 1)
        grid.sync()
        heat, following = following, heat
        rounds += 1
        moving = flags[mine] != 0
    if rounds % 2 == 1:
        for row in range(top(), rows, ROWS * int32(cuda.gridDim.x)):
            for col in range(int32(cuda.threadIdx.x), cols, LANES):
                solved[row, col] = other[row, col]
