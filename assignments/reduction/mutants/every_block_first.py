# mutant: every block writes its sum to the first place | verdict: wrong | diagnostic: global-memory race
from numba import cuda


@cuda.jit(device=True)
def sum_up(values, out, work, n):
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if i < n:
        work[i] = values[i]  # <- here
    cuda.syncthreads()
    s = 128
    while s > 0:
        if t < s and i + s < n:
            work[i] += work[i + s]
        cuda.syncthreads()
        s //= 2
    if t == 0:
        out[0] = work[i]  # <- here


@cuda.jit
def reduce_int32(a, a_sums, work, n):
    sum_up(a, a_sums, work, n)


@cuda.jit
def reduce_float32(x, x_sums, work, n):
    sum_up(x, x_sums, work, n)
