from numba import cuda


def mapped(x, i):
    return 3 * x + i


@cuda.jit(device=True)
def combine(tile, stride):
    t = cuda.threadIdx.x
    tile[t] += tile[t + stride]
