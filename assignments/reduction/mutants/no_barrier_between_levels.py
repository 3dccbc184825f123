# mutant: no barrier between two levels of the tree | verdict: wrong | diagnostic: shared-memory race
from numba import cuda


@cuda.jit(device=True)
def sum_up(values, out, n):
    buf = cuda.shared.array(256, values.dtype)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    buf[t] = 0
    if i < n:
        buf[t] = values[i]
    cuda.syncthreads()
    s = 128
    while s > 0:
        if t < s:
            buf[t] += buf[t + s]  # <- here
        s //= 2
    cuda.syncthreads()
    if t == 0:
        out[cuda.blockIdx.x] = buf[0]


@cuda.jit
def reduce_int32(a, a_sums, work, n):
    sum_up(a, a_sums, n)


@cuda.jit
def reduce_float32(x, x_sums, work, n):
    sum_up(x, x_sums, n)
