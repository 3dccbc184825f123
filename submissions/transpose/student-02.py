from numba import cuda, float32

# launch: transpose block=32,32 grid=ceil(cols/32),ceil(rows/32)


@cuda.jit
def transpose(a, b, rows, cols):
    tile = cuda.shared.array((32, 32), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    bx, by = cuda.blockIdx.x * 32, cuda.blockIdx.y * 32

    if by + ty < rows and bx + tx < cols:
        tile[ty, tx] = a[by + ty, bx + tx]
    cuda.syncthreads()
    if bx + ty < cols and by + tx < rows:
        b[bx + ty, by + tx] = tile[tx, ty]
