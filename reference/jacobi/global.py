"""Rung `global`: one thread per cell, and each thread with a cell that moves says so.

`solve` does the same in one launch: its blocks wait for each other after each sweep.
"""

from numba import cuda, float32, int32

FLAGS = 3


@cuda.jit(device=True)
def swept(heat, source, loss, rows, cols, row, col):
    cold = float32(0.0)
    left = heat[row, col - 1] if col > 0 else cold
    right = heat[row, col + 1] if col < cols - 1 else cold
    up = heat[row - 1, col] if row > 0 else cold
    down = heat[row + 1, col] if row < rows - 1 else cold
    return (left + right + up + down + source[row, col]) / (float32(4.0) + loss)


@cuda.jit
def sweep(heat, source, after, moving, loss, least, rows, cols):
    col, row = cuda.grid(2)
    if row < rows and col < cols:
        value = swept(heat, source, loss, rows, cols, row, col)
        after[row, col] = value
        if abs(value - heat[row, col]) > least:
            cuda.atomic.exch(moving, 0, 1)


@cuda.jit
def solve(source, solved, other, flags, loss, least, rows, cols):
    grid = cuda.cg.this_grid()
    first = int32(cuda.grid(1))
    stride = int32(cuda.gridsize(1))
    for i in range(first, rows * cols, stride):
        solved[i // cols, i % cols] = float32(0.0)
    if first == 0:
        flags[0] = 0
    grid.sync()

    heat = solved
    following = other
    rounds = 0
    moves = True
    while moves:
        # Of three flags, one is set, one was read last and may still be, and one can be reset.
        mine = rounds % FLAGS
        if first == 0:
            flags[(rounds + 1) % FLAGS] = 0
        for i in range(first, rows * cols, stride):
            row = int32(i) // cols
            col = int32(i) - row * cols
            value = swept(heat, source, loss, rows, cols, row, col)
            following[row, col] = value
            if abs(value - heat[row, col]) > least:
                cuda.atomic.exch(flags, mine, 1)
        grid.sync()
        heat, following = following, heat
        rounds += 1
        moves = flags[mine] != 0
    if rounds % 2 == 1:
        for i in range(first, rows * cols, stride):
            solved[i // cols, i % cols] = other[i // cols, i % cols]
