"""A bitonic sort.

The lab copies x to y, launches sort_segments, and then merges: for size = 2048, 4096, ... it launches merge_step with
stride = size / 2, size / 4, ... 1024, and then finish_segments for the strides 512, 256, ... 1.
"""

from numba import cuda


@cuda.jit
def sort_segments(y, n):
    # Sort each segment of 1024 elements, the smallest first.
    pass


@cuda.jit
def merge_step(y, size, stride, n):
    # Compare element i with element i ^ (size - 1) if stride is size / 2, or else with element i ^ stride.
    pass


@cuda.jit
def finish_segments(y, n):
    # In each segment, compare element i with element i ^ stride for stride = 512, 256, ... 1.
    pass
