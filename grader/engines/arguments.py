"""Kernel arguments in ``.param`` space, flattened as each ABI requires."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from grader.model.kernel import DType
from grader.model.module import Abi, BuiltKernel
from grader.model.plan import Buffer, Launch, LaunchPlan
from grader.model.texture import Texture

Scalar = np.int32 | np.uint32 | np.int64 | np.uint64 | np.float32 | np.float64
"""A NumPy scalar of one of the types a parameter may have."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One ``.param`` entry: its type, which is also its size and alignment, and its value."""

    dtype: DType
    value: int | float

    @property
    def scalar(self) -> Scalar:
        """The value as a NumPy scalar, for launch functions."""
        return _SCALARS[self.dtype](self.value)


_SCALARS: dict[DType, type[Scalar]] = {
    DType.INT32: np.int32,
    DType.UINT32: np.uint32,
    DType.INT64: np.int64,
    DType.UINT64: np.uint64,
    DType.FLOAT32: np.float32,
    DType.FLOAT64: np.float64,
}


def flatten(
    kernel: BuiltKernel, launch: Launch, plan: LaunchPlan, address_of: Callable[[str | Texture], int]
) -> list[Argument]:
    """The ``.param`` entries of ``launch``, in order.

    ``address_of`` gives a buffer's device address by its name, and a texture's handle.

    Raises: ``ValueError`` where the launch does not fit the kernel's parameters: a lab's mistake, not a student's.
    """
    if len(launch.args) != len(kernel.params):
        msg = (
            f"{kernel.name} has {len(kernel.params)} parameters, the plan passes {len(launch.args)} arguments"
        )
        raise ValueError(msg)
    array = _ARRAY[kernel.abi]
    flat: list[Argument] = []
    for passed in kernel.passed:
        param, given = kernel.params[passed.source], launch.args[passed.source]
        fits = isinstance(given, Texture) if param.sampling else param.is_array == isinstance(given, str)
        if not fits or (isinstance(given, Texture) and not param.sampling):
            wanted = (
                "a texture" if param.sampling else "the name of a buffer" if param.is_array else "a number"
            )
            msg = f"parameter {param.name} of {kernel.name} needs {wanted}, the plan passes {given!r}"
            raise ValueError(msg)
        if isinstance(given, Texture):
            flat.append(Argument(DType.UINT64, address_of(given)))
        elif isinstance(given, str):
            flat += array(plan.buffer(given), len(param.dims), address_of(given))
        else:
            flat.append(Argument(passed.dtype, _converted(given, param.dtype, passed.dtype)))
    return flat


def _converted(value: float, declared: DType, dtype: DType) -> int | float:
    """``value`` of the type that the lab declares, converted to ``dtype`` as C converts it."""
    return value if declared is dtype else _SCALARS[declared](value).astype(dtype.numpy).item()


def pack(arguments: list[Argument]) -> bytes:
    """The bytes of ``.param`` space: every entry at the next multiple of its own size, little-endian."""
    space = bytearray()
    for argument in arguments:
        data = np.asarray(argument.scalar).astype(argument.dtype.numpy.newbyteorder("<")).tobytes()
        space += bytes(-len(space) % len(data))
        space += data
    return bytes(space)


def _c_array(_buffer: Buffer, _rank: int, address: int) -> list[Argument]:
    return [Argument(DType.UINT64, address)]


def _numba_array(buffer: Buffer, rank: int, address: int) -> list[Argument]:
    """Numba-cuda 0.30's array record: meminfo, parent, nitems, itemsize, data, shape, strides in bytes.

    A buffer is viewed with the kernel's rank: where they differ it must be flat on one side.
    """
    shape = _reshaped(buffer, rank)
    itemsize = buffer.dtype.numpy.itemsize
    strides = [itemsize] * rank
    for axis in reversed(range(rank - 1)):
        strides[axis] = strides[axis + 1] * shape[axis + 1]
    return [
        Argument(DType.UINT64, 0),
        Argument(DType.UINT64, 0),
        Argument(DType.INT64, buffer.size),
        Argument(DType.INT64, itemsize),
        Argument(DType.UINT64, address),
        *(Argument(DType.INT64, extent) for extent in shape),
        *(Argument(DType.INT64, stride) for stride in strides),
    ]


def _reshaped(buffer: Buffer, rank: int) -> tuple[int, ...]:
    if len(buffer.shape) == rank:
        return buffer.shape
    if rank == 1:
        return (buffer.size,)
    msg = f"buffer {buffer.name} of shape {buffer.shape} cannot be passed as an array of {rank} dimensions"
    raise ValueError(msg)


_ARRAY: dict[Abi, Callable[[Buffer, int, int], list[Argument]]] = {
    Abi.C: _c_array,
    Abi.NUMBA: _numba_array,
}
