# mutant: each thread copies eight neighbours, as a loop on a CPU would be split | verdict: accepted | diagnostic: uncoalesced access | part: technique
from numba import cuda


# launch: copy_offset block=256 grid=ceil(n/2048)
@cuda.jit
def copy_offset(x, shifted, n, offset):
    first = 8 * cuda.grid(1)
    for i in range(first, min(first + 8, n)):
        shifted[i] = x[i + offset]  # <- here


@cuda.jit
def copy_stride(x, gathered, n, stride):
    i = cuda.grid(1)
    if i < n:
        gathered[i] = x[i * stride]
