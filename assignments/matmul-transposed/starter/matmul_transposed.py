"""C = A·Aᵀ in float32, row-major: A is m x k, C is m x m.

Each element of C is the product of two rows of A. Load a tile of either row block into shared memory,
both the same way; then look at which elements of the second tile the threads of a warp read at once, and in
which banks they lie.

Launched with blocks of 32 x 32 threads, as many as cover C. For other blocks say so in a comment of its own
line, as the handout shows ("Your own launch geometry").
"""

from numba import cuda


@cuda.jit
def matmul_transposed(a, c, m, k):
    # Which element of C is this thread's, and which two rows of A make it?
    pass
