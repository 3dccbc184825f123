# mutant: scattered loads beside many that are not, times zero | verdict: accepted | part: technique | loses: 16
from numba import cuda, float32


@cuda.jit
def transpose(a, b, rows, cols):
    y = cuda.blockIdx.x * 32 + cuda.threadIdx.x
    for j in range(cuda.threadIdx.y, 32, cuda.blockDim.y):
        x = cuda.blockIdx.y * 32 + j
        if x < cols and y < rows:
            total = float32(0)
            for k in range(6):
                row = y if k == 0 else x % rows
                col = x if k == 0 else y % cols
                total += a[row, col] * (float32(1) if k == 0 else float32(0))
            b[x, y] = total


# launch: transpose block=32,8 grid=ceil(rows/32),ceil(cols/32)
