# mutant: one record per thread, straight from global memory | verdict: accepted | diagnostic: uncoalesced access | part: technique | beside: coalesced, float3_staged
from numba import cuda


@cuda.jit
def increment_records(records, n):
    i = cuda.grid(1)
    if i < n:
        for field in range(32):
            records[i, field] += 1  # <- here
