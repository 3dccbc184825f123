"""One level of a breadth-first search.

queue holds the length[0] vertices at distance level. For each neighbour of one of them that has no distance yet, -1,
set its distance to level + 1 and append it to next_queue. next_length[0] is zero at the start. The neighbours of
vertex v are neighbours[row_starts[v]] up to but without neighbours[row_starts[v + 1]].
"""

from numba import cuda


@cuda.jit
def expand(row_starts, neighbours, distances, queue, length, next_queue, next_length, level):
    # Launched with blocks of 256 threads, one for each vertex that could be in the queue.
    pass
