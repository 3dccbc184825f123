"""Rung `look_back`: one pass.

A block takes the next segment by a ticket, so that the segments before it have been taken by blocks that run. It
publishes its own sum, and one thread walks back: it adds the sums of the segments before it until it finds one that
knows the sum of everything up to it. State and sum of a segment are one 64-bit number, so no thread can see one without
the other.
"""

# launch: scan_in_one_pass block=256 grid=ceil(n/1024)

from numba import cuda, int32, int64

THREADS = 256
WARP = 32
WARPS = THREADS // WARP
PER_THREAD = 4
SEGMENT = THREADS * PER_THREAD
OWN_SUM = 1
WHOLE_SUM = 2
EVERYONE = 0xFFFFFFFF


@cuda.jit(device=True)
def walk_back(state, segment, total):
    """Publish the segment's own sum, then find the sum of all segments before it, and publish that."""
    own = WHOLE_SUM if segment == 0 else OWN_SUM
    cuda.atomic.exch(state, 1 + segment, int64(own) << 32 | int64(total) & 0xFFFFFFFF)
    found = int32(0)
    s = segment - 1
    while s >= 0:
        word = cuda.atomic.add(state, 1 + s, int64(0))
        if word != 0:
            found += int32(word & 0xFFFFFFFF)
            s = -1 if word >> 32 == WHOLE_SUM else s - 1
    if segment > 0:
        whole = int64(int32(found + total)) & 0xFFFFFFFF
        cuda.atomic.exch(state, 1 + segment, int64(WHOLE_SUM) << 32 | whole)
    return found


@cuda.jit(device=True)
def before_thread(total, of_warp):
    """The sum of the block's threads before this one, and that of all of them."""
    me = cuda.threadIdx.x
    up_to = total
    distance = 1
    while distance < WARP:
        other = cuda.shfl_up_sync(EVERYONE, up_to, distance)
        if me % WARP >= distance:
            up_to += other
        distance *= 2
    if me % WARP == WARP - 1:
        of_warp[me // WARP] = up_to
    cuda.syncthreads()
    before = up_to - total
    of_block = int32(0)
    for w in range(WARPS):
        if w < me // WARP:
            before += of_warp[w]
        of_block += of_warp[w]
    return before, of_block


@cuda.jit
def scan_in_one_pass(x, y, state, n):
    of_warp = cuda.shared.array(WARPS, int32)
    shown = cuda.shared.array(2, int32)
    me = int32(cuda.threadIdx.x)
    if me == 0:
        shown[0] = cuda.atomic.add(state, 0, int64(1))
    cuda.syncthreads()
    segment = shown[0]
    first = segment * SEGMENT + me * PER_THREAD
    last = min(n, first + PER_THREAD)

    total = int32(0)
    for i in range(first, last):
        total += x[i]
    before, of_block = before_thread(total, of_warp)
    if me == 0:
        shown[1] = walk_back(state, segment, of_block)
    cuda.syncthreads()
    before += shown[1]
    for i in range(first, last):
        y[i] = before
        before += x[i]
