"""Rung `global`: one thread per body, which reads all bodies and adds every term to its sum in global memory."""

import math

from numba import cuda


@cuda.jit
def accelerations(bodies, out, softening, n):
    i = cuda.grid(1)
    if i >= n:
        return
    out[i, 0] = 0.0
    out[i, 1] = 0.0
    out[i, 2] = 0.0
    for j in range(n):
        dx = bodies[j, 0] - bodies[i, 0]
        dy = bodies[j, 1] - bodies[i, 1]
        dz = bodies[j, 2] - bodies[i, 2]
        distance = math.sqrt(dx * dx + dy * dy + dz * dz + softening)
        pull = bodies[j, 3] / (distance * distance * distance)
        out[i, 0] += pull * dx
        out[i, 1] += pull * dy
        out[i, 2] += pull * dz
