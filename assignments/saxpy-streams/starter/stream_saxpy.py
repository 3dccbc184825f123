"""y[i] = alpha * x[i] + y[i] for every i from 0 to n - 1. Both arrays are in host memory.

An exception says that a call failed. Numba raises one by itself.
"""

from numba import cuda


@cuda.jit
def multiply_add(alpha, x, y):
    # Which element is this thread's? Does it exist?
    pass


def stream_saxpy_prepare(n, alpha, x, y):
    """Called once, before the clock starts: pin x and y here, allocate device memory, create streams.

    Both have no numbers yet.
    """


def stream_saxpy(n, alpha, x, y):
    # For each chunk, in a stream:
    # 1. Copy its part of x and y to the device.
    # 2. Launch the kernel.
    # 3. Copy its part of y back.
    # Then wait for all streams.
    pass


def stream_saxpy_finish(n, alpha, x, y):
    """Called once, at the end: release what stream_saxpy_prepare has made."""
