# mutant: <= for < in the guard | verdict: failed to build | diagnostic: out of bounds
from numba import cuda


@cuda.jit
def shift_global(image, out, rows, cols, down, right):
    x, y = cuda.grid(2)
    if x <= cols and y <= rows:
        fx = min(max(x - right, 0), cols - 1)
        fy = min(max(y - down, 0), rows - 1)
        out[y, x] = image[fy, fx]  # <- here
