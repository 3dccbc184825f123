# mutant: the records after the last whole block are left out | verdict: wrong | beside: coalesced, float3_staged
from numba import cuda


# launch: increment_records block=32,8 grid=max(1,n//8)
@cuda.jit
def increment_records(records, n):
    i = cuda.blockIdx.x * 8 + cuda.threadIdx.y
    if (cuda.blockIdx.x + 1) * 8 <= n:
        records[i, cuda.threadIdx.x] += 1
