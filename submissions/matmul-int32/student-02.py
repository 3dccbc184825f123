# integer matmul, 2x2 results per thread so that every load is used twice
# launch: matmul_int32 block=16,16 grid=ceil(n/32),ceil(m/32)
from numba import cuda


@cuda.jit
def matmul_int32(a, b, c, m, n, k):
    x, y = cuda.grid(2)
    r0 = 2 * y
    c0 = 2 * x
    if r0 >= m or c0 >= n:
        return
    r1 = min(r0 + 1, m - 1)
    c1 = min(c0 + 1, n - 1)
    s00 = s01 = s10 = s11 = 0
    for p in range(k):
        u = a[r0, p]
        v = a[r1, p]
        s = b[p, c0]
        t = b[p, c1]
        s00 += u * s
        s01 += u * t
        s10 += v * s
        s11 += v * t
    c[r0, c0] = s00
    if c0 + 1 < n:
        c[r0, c0 + 1] = s01
    if r0 + 1 < m:
        c[r0 + 1, c0] = s10
    if r0 + 1 < m and c0 + 1 < n:
        c[r0 + 1, c0 + 1] = s11
