"""Rung `warp`: a warp takes a vertex, and its lanes take neighbours that lie side by side in memory."""

# launch: expand block=256 grid=min(ceil(vertices/8),1024)

from numba import cuda


@cuda.jit
def expand(row_starts, neighbours, distances, queue, length, next_queue, next_length, level):
    warps = cuda.gridsize(1) // 32
    lane = cuda.threadIdx.x % 32
    for i in range(cuda.grid(1) // 32, length[0], warps):
        vertex = queue[i]
        for edge in range(row_starts[vertex] + lane, row_starts[vertex + 1], 32):
            neighbour = neighbours[edge]
            if cuda.atomic.cas(distances, neighbour, -1, level + 1) == -1:
                next_queue[cuda.atomic.add(next_length, 0, 1)] = neighbour
