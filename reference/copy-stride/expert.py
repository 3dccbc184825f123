"""Rung `expert`: four elements per thread, a block apart.

A copy has nothing to compute, only to wait. A thread that has four loads on their way before it stores the first waits
once instead of four times, and there are a quarter as many threads to start. Neighbouring threads still have
neighbouring elements. A stride makes as many sectors as before: no order of the threads can hint that.
"""

from numba import cuda

BLOCK = 256
GROUP = 4 * BLOCK


# launch: copy_offset block=256 grid=ceil(n/1024)
@cuda.jit
def copy_offset(x, shifted, n, offset):
    """shifted[i] = x[i + offset], 1024 elements a block."""
    i = cuda.blockIdx.x * GROUP + cuda.threadIdx.x
    if i + 3 * BLOCK < n:
        first = x[i + offset]
        second = x[i + BLOCK + offset]
        third = x[i + 2 * BLOCK + offset]
        fourth = x[i + 3 * BLOCK + offset]
        shifted[i] = first
        shifted[i + BLOCK] = second
        shifted[i + 2 * BLOCK] = third
        shifted[i + 3 * BLOCK] = fourth
    else:
        for k in range(i, n, BLOCK):
            shifted[k] = x[k + offset]


# launch: copy_stride block=256 grid=ceil(n/1024)
@cuda.jit
def copy_stride(x, gathered, n, stride):
    """gathered[i] = x[i * stride], 1024 elements a block."""
    i = cuda.blockIdx.x * GROUP + cuda.threadIdx.x
    if i + 3 * BLOCK < n:
        first = x[i * stride]
        second = x[(i + BLOCK) * stride]
        third = x[(i + 2 * BLOCK) * stride]
        fourth = x[(i + 3 * BLOCK) * stride]
        gathered[i] = first
        gathered[i + BLOCK] = second
        gathered[i + 2 * BLOCK] = third
        gathered[i + 3 * BLOCK] = fourth
    else:
        for k in range(i, n, BLOCK):
            gathered[k] = x[k * stride]
