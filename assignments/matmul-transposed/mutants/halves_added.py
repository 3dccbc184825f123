# mutant: two threads per element each add half of the sum to C, unsynchronised | verdict: wrong | diagnostic: global-memory race
# launch: matmul_transposed block=16,16,2 grid=ceil(m/16),ceil(m/16)
from numba import cuda, float32


@cuda.jit
def matmul_transposed(a, c, m, k):
    j, i, half = cuda.grid(3)
    if i < m and j < m:
        if half == 0:
            c[i, j] = 0
        cuda.syncwarp()
        s = float32(0)
        for p in range(half, k, 2):
            s += a[i, p] * a[j, p]
        c[i, j] += s  # <- here
