"""Rung `expert`: eight elements per thread, a block apart.

It is `several` with twice as many loads on their way. For the stride nothing is left
but not to wait: the sectors that it wastes are the task's, not the kernel's.
"""

from numba import cuda, float32

BLOCK = 256
EACH = 8
GROUP = EACH * BLOCK


# launch: copy_offset block=256 grid=ceil(n/2048)
@cuda.jit
def copy_offset(x, shifted, n, offset):
    """shifted[i] = x[i + offset], 2048 elements a block."""
    values = cuda.local.array(EACH, float32)
    i = cuda.blockIdx.x * GROUP + cuda.threadIdx.x
    if i + (EACH - 1) * BLOCK < n:
        for k in range(EACH):
            values[k] = x[i + k * BLOCK + offset]
        for k in range(EACH):
            shifted[i + k * BLOCK] = values[k]
    else:
        for k in range(i, n, BLOCK):
            shifted[k] = x[k + offset]


# launch: copy_stride block=256 grid=ceil(n/2048)
@cuda.jit
def copy_stride(x, gathered, n, stride):
    """gathered[i] = x[i * stride], 2048 elements a block."""
    values = cuda.local.array(EACH, float32)
    i = cuda.blockIdx.x * GROUP + cuda.threadIdx.x
    if i + (EACH - 1) * BLOCK < n:
        for k in range(EACH):
            values[k] = x[(i + k * BLOCK) * stride]
        for k in range(EACH):
            gathered[i + k * BLOCK] = values[k]
    else:
        for k in range(i, n, BLOCK):
            gathered[k] = x[k * stride]
