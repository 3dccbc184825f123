from numba import cuda, float32


@cuda.jit
def row_mean_global(a, row_means, column_means, rows, cols):
    i = cuda.grid(1)
    if i < rows:
        total = float32(0)
        for j in range(cols):
            total += a[i, j]
        row_means[i] = total / cols
    if i < cols:
        total = float32(0)
        for j in range(rows):
            total += a[j, i]
        column_means[i] = total / rows


# one block adds up a row (block < rows) or a column (the others)
# launch: row_mean_shared block=128 grid=rows+cols
@cuda.jit
def row_mean_shared(a, row_means, column_means, rows, cols):
    parts = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    b = cuda.blockIdx.x
    total = float32(0)
    if b < rows:
        for j in range(t, cols, 128):
            total += a[b, j]
    else:
        for j in range(t, rows, 128):
            total += a[j, b - rows]
    parts[t] = total
    cuda.syncthreads()
    half = 64
    while half > 0:
        if t < half:
            parts[t] += parts[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        if b < rows:
            row_means[b] = parts[0] / cols
        else:
            column_means[b - rows] = parts[0] / rows


# launch: row_mean_shared_padded block=128 grid=rows+cols
@cuda.jit
def row_mean_shared_padded(a, row_means, column_means, rows, cols):
    # nothing to pad: neighbouring threads use neighbouring elements of parts
    parts = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    b = cuda.blockIdx.x
    total = float32(0)
    if b < rows:
        for j in range(t, cols, 128):
            total += a[b, j]
    else:
        for j in range(t, rows, 128):
            total += a[j, b - rows]
    parts[t] = total
    cuda.syncthreads()
    half = 64
    while half > 0:
        if t < half:
            parts[t] += parts[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        if b < rows:
            row_means[b] = parts[0] / cols
        else:
            column_means[b - rows] = parts[0] / rows
