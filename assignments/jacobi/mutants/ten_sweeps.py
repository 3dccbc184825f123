# mutant: solve sweeps ten times and does not ask whether a cell moves | verdict: wrong | beside: votes
from numba import cuda


@cuda.jit
def solve(source, solved, other, flags, loss, least, rows, cols):
    for i in range(cuda.grid(1), rows * cols, cuda.gridsize(1)):
        solved[i // cols, i % cols] = 0
    cuda.cg.this_grid().sync()
    heat = solved
    following = other
    for _ in range(10):
        for i in range(cuda.grid(1), rows * cols, cuda.gridsize(1)):
            row = i // cols
            col = i % cols
            total = source[row, col]
            if col > 0:
                total += heat[row, col - 1]
            if col < cols - 1:
                total += heat[row, col + 1]
            if row > 0:
                total += heat[row - 1, col]
            if row < rows - 1:
                total += heat[row + 1, col]
            following[row, col] = total / (4 + loss)
        cuda.cg.this_grid().sync()
        heat, following = following, heat
