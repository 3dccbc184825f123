# mutant: stops one neighbour early | verdict: wrong
from numba import cuda


@cuda.jit
def expand(row_starts, neighbours, distances, queue, length, next_queue, next_length, level):
    i = cuda.grid(1)
    if i < length[0]:
        for e in range(row_starts[queue[i]], row_starts[queue[i] + 1] - 1):
            if cuda.atomic.cas(distances, neighbours[e], -1, level + 1) == -1:
                next_queue[cuda.atomic.add(next_length, 0, 1)] = neighbours[e]
