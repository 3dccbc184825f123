# mutant: scan_in_one_pass scans each segment and forgets those before it | verdict: wrong | beside: expert
# launch: scan_in_one_pass block=1 grid=ceil(n/1024)
from numba import cuda, int32


@cuda.jit
def scan_in_one_pass(x, y, state, n):
    first = cuda.blockIdx.x * 1024
    total = int32(0)
    for i in range(first, min(n, first + 1024)):
        y[i] = total
        total += x[i]
