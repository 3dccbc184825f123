"""Rung `blocked`: tiles in shared memory, and a patch of 4 x 4 elements of C in the registers of each thread."""
# launch: matmul block=16,16 grid=ceil(n/64),ceil(m/64)

from numba import cuda, float32
from thread_tiles import DEPTH, PITCH, blocked_product
from tiles import AS_IS


@cuda.jit
def matmul(a, b, c, m, n, k):
    first = cuda.shared.array((DEPTH, PITCH), float32, alignment=16)
    second = cuda.shared.array((DEPTH, PITCH), float32, alignment=16)
    total = cuda.local.array((4, 4), float32)
    blocked_product(total, first, second, a, b, c, m, n, k, AS_IS)
