"""Add one to every float, in place. Three kernels; all are launched with 256 threads per block.

Which thread has which float is yours to choose. Get every size right first; then look at the sectors per request.
"""

from numba import cuda


@cuda.jit
def increment(x, n):
    # n floats, x[i]. Launched with one thread per float.
    #
    # Which floats are this thread's? Are there such floats at all?
    pass


@cuda.jit
def increment_float3(points, n):
    # n points of three floats, points[i, k]. Launched with one thread per point.
    #
    # Need a thread have a whole point?
    pass


@cuda.jit
def increment_records(records, n):
    # n records of 32 floats, records[i, k]. Launched with one thread per record.
    #
    # How far apart are the floats that a warp reads at the same moment?
    pass
