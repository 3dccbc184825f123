# mutant: only the first element of a patch is checked against the edge of C | verdict: crashed | diagnostic: out of bounds
# launch: matmul_int32 block=16,16 grid=ceil(n/32),ceil(m/32)
from numba import cuda, int32


@cuda.jit
def matmul_int32(a, b, c, m, n, k):
    x, y = cuda.grid(2)
    row = 2 * y
    col = 2 * x
    if row < m and col < n:
        s00 = s01 = s10 = s11 = int32(0)
        for e in range(k):
            s00 += a[row, e] * b[e, col]
            s01 += a[row, e] * b[e, col + 1]  # <- here
            s10 += a[row + 1, e] * b[e, col]  # <- here
            s11 += a[row + 1, e] * b[e, col + 1]  # <- here
        c[row, col] = s00
        c[row, col + 1] = s01  # <- here
        c[row + 1, col] = s10  # <- here
        c[row + 1, col + 1] = s11  # <- here
