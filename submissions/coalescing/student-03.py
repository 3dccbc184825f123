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
        for axis in range(2):  # x and y
            points[i, axis] += 1


@cuda.jit
def increment_records(records, n):
    i = cuda.grid(1)
    if i < n:
        for field in range(32):
            records[i, field] += 1
