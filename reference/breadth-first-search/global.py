"""Rung `global`: one thread per vertex of the queue. One with many neighbours keeps a lane busy while 31 wait."""

from numba import cuda


@cuda.jit
def expand(row_starts, neighbours, distances, queue, length, next_queue, next_length, level):
    i = cuda.grid(1)
    if i >= length[0]:
        return
    vertex = queue[i]
    for edge in range(row_starts[vertex], row_starts[vertex + 1]):
        neighbour = neighbours[edge]
        if cuda.atomic.cas(distances, neighbour, -1, level + 1) == -1:
            next_queue[cuda.atomic.add(next_length, 0, 1)] = neighbour
