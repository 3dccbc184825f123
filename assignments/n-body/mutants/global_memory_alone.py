# mutant: right, but without shared memory | verdict: accepted | part: technique | loses: 10
import math

from numba import cuda, float32


@cuda.jit
def accelerations(bodies, out, softening, n):
    i = cuda.grid(1)
    if i >= n:
        return
    ax = float32(0.0)
    ay = float32(0.0)
    az = float32(0.0)
    for j in range(n):
        dx = bodies[j, 0] - bodies[i, 0]
        dy = bodies[j, 1] - bodies[i, 1]
        dz = bodies[j, 2] - bodies[i, 2]
        r = float32(1.0) / math.sqrt(dx * dx + dy * dy + dz * dz + softening)
        pull = bodies[j, 3] * r * r * r
        ax += pull * dx
        ay += pull * dy
        az += pull * dz
    out[i, 0] = ax
    out[i, 1] = ay
    out[i, 2] = az
