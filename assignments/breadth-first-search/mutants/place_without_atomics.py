# mutant: takes the next place of the queue without an atomic | verdict: wrong | diagnostic: global-memory race
from numba import cuda


@cuda.jit
def expand(row_starts, neighbours, distances, queue, length, next_queue, next_length, level):
    i = cuda.grid(1)
    if i < length[0]:
        for e in range(row_starts[queue[i]], row_starts[queue[i] + 1]):
            if cuda.atomic.cas(distances, neighbours[e], -1, level + 1) == -1:
                place = next_length[0]  # <- here
                next_length[0] = place + 1  # <- here
                next_queue[place] = neighbours[e]  # <- here
