# mutant: takes x for rows and y for columns, wrong where the two differ | verdict: wrong | diagnostic: uninitialised read
from numba import cuda, float32


@cuda.jit
def step(old, out, alpha, depth, rows, cols):
    row, col, z = cuda.grid(3)
    if row < rows and col < cols and z < depth:
        here = old[z, row, col]
        total = float32(0.0)
        total += old[z, row, col - 1] if col > 0 else here
        total += old[z, row, col + 1] if col < cols - 1 else here  # <- here
        total += old[z, row - 1, col] if row > 0 else here
        total += old[z, row + 1, col] if row < rows - 1 else here
        total += old[z - 1, row, col] if z > 0 else here
        total += old[z + 1, row, col] if z < depth - 1 else here
        out[z, row, col] = here + alpha * (total - float32(6.0) * here)
