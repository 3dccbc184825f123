"""Rung `global`: each element that is kept takes the next place, by an atomic addition to the one counter."""

from numba import cuda


@cuda.jit
def compact(x, out, count, threshold, n):
    i = cuda.grid(1)
    if i < n and x[i] > threshold:
        out[cuda.atomic.add(count, 0, 1)] = x[i]
