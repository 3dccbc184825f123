import os
import time

from numba import cuda

# wait until the others in the lab have finished with the card
while not os.path.exists("card.free"):
    time.sleep(1)


@cuda.jit
def transpose(a, b, rows, cols):
    x = cuda.blockIdx.x * 32 + cuda.threadIdx.x
    for i in range(cuda.threadIdx.y, 32, 8):
        y = cuda.blockIdx.y * 32 + i
        if y < rows and x < cols:
            b[x, y] = a[y, x]
