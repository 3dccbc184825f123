"""Rung `shared`: a block loads as many bodies as it has threads into shared memory, once for all of them.

Behind the last body a tile has bodies without mass, which attract no body.
"""

# launch: accelerations block=128 grid=ceil(n/128)

import math

from numba import cuda, float32

TILE = 128


@cuda.jit
def accelerations(bodies, out, softening, n):
    tile = cuda.shared.array((TILE, 4), float32)
    lane = cuda.threadIdx.x
    i = cuda.blockIdx.x * TILE + lane
    x = float32(0.0)
    y = float32(0.0)
    z = float32(0.0)
    if i < n:
        x = bodies[i, 0]
        y = bodies[i, 1]
        z = bodies[i, 2]
    ax = float32(0.0)
    ay = float32(0.0)
    az = float32(0.0)
    for first in range(0, n, TILE):
        # Neighbouring threads load neighbouring numbers, whatever body they belong to.
        for k in range(lane, 4 * TILE, TILE):
            body = first + k // 4
            tile[k // 4, k % 4] = bodies[body, k % 4] if body < n else float32(0.0)
        cuda.syncthreads()
        for k in range(TILE):
            dx = tile[k, 0] - x
            dy = tile[k, 1] - y
            dz = tile[k, 2] - z
            inverse = float32(1.0) / math.sqrt(dx * dx + dy * dy + dz * dz + softening)
            pull = tile[k, 3] * inverse * inverse * inverse
            ax += pull * dx
            ay += pull * dy
            az += pull * dz
        cuda.syncthreads()
    if i < n:
        out[i, 0] = ax
        out[i, 1] = ay
        out[i, 2] = az
