from numba import cuda


@cuda.jit
def increment(x, n):
    i = cuda.grid(1)
    if i < n:
        x[i] += 1


@cuda.jit
def increment_float3(points, n):
    i = cuda.grid(1)
    if i < n:
        points[i, 0] += 1
        points[i, 1] += 1
        points[i, 2] += 1


@cuda.jit
def increment_records(records, n):
    i = cuda.grid(1)
    if i < n:
        for k in range(32):
            records[i, k] += 1
