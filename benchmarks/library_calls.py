"""What libraries do on a GPU for the tasks of labs: cuBLAS and CUB by way of CuPy, Thrust, and a copy on the device."""

from collections.abc import Callable
from typing import Any

Arrays = dict[str, Any]
"""CuPy's arrays by the names of a plan's buffers."""

LibraryCall = Callable[[Any, Arrays], tuple[Callable[[], None], Arrays]]
"""Given CuPy and the arrays: what runs the library, and the arrays it answers in, by the names of the same outputs."""


def product(cupy: Any, arrays: Arrays) -> tuple[Callable[[], None], Arrays]:
    """The library's matrix product in the type of its inputs; CuPy leaves TF32 off."""
    out = cupy.empty(arrays["c"].shape, arrays["c"].dtype)
    return lambda: cupy.dot(arrays["a"], arrays["b"], out=out), {"c": out}


def total(cupy: Any, arrays: Arrays) -> tuple[Callable[[], None], Arrays]:
    """CuPy's sum of a vector, which is CUB's."""
    out = cupy.empty((), arrays["x"].dtype)
    return lambda: cupy.sum(arrays["x"], out=out), {"x_sums": out}


def copy_of(name: str) -> LibraryCall:
    """A copy on the device of the buffer ``name``, which computes nothing."""

    def copied(cupy: Any, arrays: Arrays) -> tuple[Callable[[], None], Arrays]:
        array = arrays[name]
        out = cupy.empty_like(array)
        runtime = cupy.cuda.runtime

        def copy() -> None:
            stream = cupy.cuda.get_current_stream().ptr
            kind = runtime.memcpyDeviceToDevice
            runtime.memcpyAsync(out.data.ptr, array.data.ptr, array.nbytes, kind, stream)

        return copy, {}

    return copied


def exclusive_scan(cupy: Any, arrays: Arrays) -> tuple[Callable[[], None], Arrays]:
    """CuPy's running sum, which is CUB's: a copy, and a scan in place. The first sum is that of no element."""
    x = arrays["x"]
    sums = cupy.zeros(x.size + 1, x.dtype)
    return lambda: cupy.cumsum(x, dtype=x.dtype, out=sums[1:]), {"y": sums[:-1]}


def sort(cupy: Any, arrays: Arrays) -> tuple[Callable[[], None], Arrays]:
    """CuPy's sort of a copy, which is Thrust's: a radix sort, for integers. It waits for its end."""
    out = cupy.empty_like(arrays["x"])

    def run() -> None:
        out[...] = arrays["x"]
        out.sort()

    return run, {"y": out}


def products(cupy: Any, arrays: Arrays) -> tuple[Callable[[], None], Arrays]:
    """The library's product of matrices, or of batches of them, in the type of its inputs.

    Of numbers in half precision it is made by tensor cores, with sums in float; CuPy leaves TF32 off.
    """
    out = cupy.empty(arrays["c"].shape, arrays["a"].dtype)
    return lambda: cupy.matmul(arrays["a"], arrays["b"], out=out), {"c": out}


def of_rows(reduction: str, **outputs: int) -> LibraryCall:
    """CuPy's ``reduction`` of the matrix along an axis for each of ``outputs``."""

    def reduced(cupy: Any, arrays: Arrays) -> tuple[Callable[[], None], Arrays]:
        out = dict.fromkeys(outputs, arrays["a"])
        reduce = getattr(cupy, reduction)

        def run() -> None:
            for name, axis in outputs.items():
                out[name] = reduce(arrays["a"], axis=axis)  # CuPy 14.2 does not take an output for a minimum

        return run, out

    return reduced
