"""Code in every place that a definition executes: decorators, default values, annotations, bases, class bodies."""

from numba import cuda


def mark(*_):
    open("/the/judge/marker.txt", "w").close()
    return object


class Hooked(mark(), metaclass=type):
    here = mark()

    def __init_subclass__(cls):
        mark()


class Again(Hooked):
    there: mark() = 1


@cuda.jit(cache=mark(), debug=mark())
def vector_add(a: mark(), b: mark(), c, n: mark() = mark()) -> mark():
    i = cuda.grid(1)
    if i < n:
        c[i] = a[i] + b[i]
