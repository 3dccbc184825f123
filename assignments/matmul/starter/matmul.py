"""C = A·B in float32, row-major: A is m x k, B is k x n, C is m x n.

Begin with one thread per element of C, and get every size right first. Then load TILE x TILE tiles of A and
B into shared memory and let the whole block use them.

Launched with blocks of 16 x 16 threads, as many as cover C. For other blocks say so in a comment of its own
line, as the handout shows ("Your own launch geometry").
"""

from numba import cuda


@cuda.jit
def matmul(a, b, c, m, n, k):
    # Which element of C is this thread's? Is there such an element at all?
    pass
