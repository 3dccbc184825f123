"""Two tables of sin(sqrt(i * step[0])) for every i from 0 to n - 1."""

from numba import cuda


@cuda.jit
def function_table(c, step, y, n):
    # To within a few roundings. c holds -1/3!, 1/5!, -1/7!, 1/9!, -1/11!; constant memory may hold them, too.
    # Launched with blocks of 256 threads, as many as cover n entries: the last block may have threads to spare.
    # Which entry is this thread's? Does it exist?
    pass


@cuda.jit
def function_table_fast(step, y_fast, n):
    # Faster, with fewer digits.
    pass
