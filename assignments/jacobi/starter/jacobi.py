"""Heat at rest: one sweep of many, and all sweeps in one launch."""

from numba import cuda


@cuda.jit
def sweep(heat, source, after, moving, loss, least, rows, cols):
    # after = (left + right + up + down of heat, 0 outside, + source) / (4 + loss) for each cell. If a cell moves by
    # more than least, set moving[0] to 1. Launched again and again with blocks of 32 x 8 threads, until no cell moves.
    pass


@cuda.jit
def solve(source, solved, other, flags, loss, least, rows, cols):
    # All sweeps in one launch, from a cold plate: the answer must be in solved. other and flags are yours.
    # Launched with as many blocks of 256 threads as cells need, but at most 80.
    # After each sweep, all blocks must wait for each other: cuda.cg.this_grid().sync().
    pass
