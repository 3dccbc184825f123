"""C = A·B in int32, row-major: A is m x k, B is k x n, C is m x n. What does not fit into 32 bits wraps around.

Begin with one thread per element of C, and get every size right first. Then try the two ideas of the handout: a patch
of several elements per thread, and tiles in shared memory that a whole block uses.

Launched with blocks of 16 x 16 threads, as many as cover C. For other blocks say so in a comment of its own line, as
the handout shows ("Your own launch geometry").
"""

from numba import cuda


@cuda.jit
def matmul_int32(a, b, c, m, n, k):
    # Which element of C is this thread's? Is there such an element at all?
    pass
