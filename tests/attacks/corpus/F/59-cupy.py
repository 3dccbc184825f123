"""A library would do the work: the host's function has the kernel's name."""

import cupy


def vector_add(a, b, c, n):
    cupy.add(a, b, out=c)
