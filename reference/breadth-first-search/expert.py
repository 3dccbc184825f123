"""Rung `expert`: as `warp`; and a block collects what it finds in shared memory, where additions are near.

It asks for places in the queue once. What does not fit goes to the queue at once.
"""

# launch: expand block=256 grid=min(ceil(vertices/8),1024)

from numba import cuda, int32

ROOM = 2048


@cuda.jit(device=True)
def keep(neighbour, found, count, next_queue, next_length):
    """Append a vertex to the block's own queue, or to the common one."""
    at = cuda.atomic.add(count, 0, 1)
    if at < ROOM:
        found[at] = neighbour
    else:
        next_queue[cuda.atomic.add(next_length, 0, 1)] = neighbour


@cuda.jit
def expand(row_starts, neighbours, distances, queue, length, next_queue, next_length, level):
    found = cuda.shared.array(ROOM, int32)
    count = cuda.shared.array(1, int32)
    place = cuda.shared.array(1, int32)
    me = cuda.threadIdx.x
    warps = cuda.gridsize(1) // 32
    vertices = length[0]
    if cuda.blockIdx.x * cuda.blockDim.x // 32 >= vertices:
        return  # a whole block
    if me == 0:
        count[0] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1) // 32, vertices, warps):
        vertex = queue[i]
        for edge in range(row_starts[vertex] + me % 32, row_starts[vertex + 1], 32):
            neighbour = neighbours[edge]
            if cuda.atomic.cas(distances, neighbour, -1, level + 1) == -1:
                keep(neighbour, found, count, next_queue, next_length)
    cuda.syncthreads()
    kept = min(count[0], ROOM)
    if me == 0:
        place[0] = cuda.atomic.add(next_length, 0, kept)
    cuda.syncthreads()
    for k in range(me, kept, cuda.blockDim.x):
        next_queue[place[0] + k] = found[k]
