"""out[i] = the sum over all j of  m_j * (p_j - p_i) / (|p_j - p_i|^2 + softening)^(3/2).

bodies[j] holds the position p_j in bodies[j, 0], bodies[j, 1] and bodies[j, 2], and the mass m_j in bodies[j, 3].
"""

from numba import cuda


@cuda.jit
def accelerations(bodies, out, softening, n):
    # Launched with blocks of 128 threads, one for each body.
    pass
