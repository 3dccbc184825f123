"""Rung `expert`: a thread has two bodies, so each load from shared memory serves two pairs.

Eight threads share these two, each with an eighth of every tile, so that a few thousand bodies are work for the whole
device. Their sums meet in shared memory at the end.
"""

# launch: accelerations block=256 grid=ceil(n/64)

import math

from numba import cuda, float32

LANES = 32
PARTS = 8
TILE = LANES * PARTS
COMPONENTS = 3
SUMS = 2 * COMPONENTS


@cuda.jit(device=True)
def pull(mass, dx, dy, dz, softening):
    """What a body of this mass at this distance adds, without the distance."""
    inverse = float32(1.0) / math.sqrt(dx * dx + dy * dy + dz * dz + softening)
    return mass * inverse * inverse * inverse


@cuda.jit
def accelerations(bodies, out, softening, n):
    tile = cuda.shared.array((4, TILE), float32)
    sums = cuda.shared.array((PARTS, SUMS, LANES), float32)
    me = cuda.threadIdx.x
    lane = me % LANES
    part = me // LANES
    i = cuda.blockIdx.x * 2 * LANES + lane
    one = min(i, n - 1)
    two = min(i + LANES, n - 1)
    x1, y1, z1 = bodies[one, 0], bodies[one, 1], bodies[one, 2]
    x2, y2, z2 = bodies[two, 0], bodies[two, 1], bodies[two, 2]
    ax1, ay1, az1 = float32(0.0), float32(0.0), float32(0.0)
    ax2, ay2, az2 = float32(0.0), float32(0.0), float32(0.0)
    for first in range(0, n, TILE):
        j = first + me
        for c in range(4):
            tile[c, me] = bodies[j, c] if j < n else float32(0.0)
        cuda.syncthreads()
        for k in range(part * LANES, (part + 1) * LANES):
            x = tile[0, k]
            y = tile[1, k]
            z = tile[2, k]
            mass = tile[3, k]
            dx = x - x1
            dy = y - y1
            dz = z - z1
            pulls = pull(mass, dx, dy, dz, softening)
            ax1 += pulls * dx
            ay1 += pulls * dy
            az1 += pulls * dz
            dx = x - x2
            dy = y - y2
            dz = z - z2
            pulls = pull(mass, dx, dy, dz, softening)
            ax2 += pulls * dx
            ay2 += pulls * dy
            az2 += pulls * dz
        cuda.syncthreads()
    sums[part, 0, lane] = ax1
    sums[part, 1, lane] = ay1
    sums[part, 2, lane] = az1
    sums[part, 3, lane] = ax2
    sums[part, 4, lane] = ay2
    sums[part, 5, lane] = az2
    cuda.syncthreads()
    # 192 numbers are the answer of the block: a thread adds up the eight parts of one.
    body = i + (LANES if part >= COMPONENTS else 0)
    if part < SUMS and body < n:
        total = float32(0.0)
        for p in range(PARTS):
            total += sums[p, part, lane]
        out[body, part % COMPONENTS] = total
