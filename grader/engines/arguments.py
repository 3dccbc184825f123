"""Kernel arguments in ``.param`` space, flattened as each ABI requires."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from grader.model.arguments import number_of
from grader.model.element_types import DType
from grader.model.kernel import Param
from grader.model.module import Abi, BuiltKernel
from grader.model.plan import Buffer, Launch, LaunchPlan
from grader.model.texture import Texture


@dataclass(frozen=True, slots=True)
class Argument:
    """One ``.param`` entry: its type, which is also its size and alignment, and its value."""

    dtype: DType
    value: int | float

    @property
    def scalar(self) -> np.generic:
        """The value as a NumPy scalar, for launch functions; the bits of a type that NumPy does not have."""
        scalar: np.generic = self.dtype.numpy.type(self.value)
        return scalar.view(np.uint16) if self.dtype is DType.BFLOAT16 else scalar


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
            flat += array(plan.buffer(given), param.rank, address_of(given))
        else:
            flat.append(_number(param, given, passed.dtype))
    return flat


def _number(param: Param, value: float, dtype: DType | None) -> Argument:
    """``value`` of the type that the lab declares, converted to ``dtype`` as C converts it."""
    declared = number_of(param)
    if declared is None or dtype is None:
        msg = f"parameter {param.name} has no type in which a number is passed"
        raise ValueError(msg)
    if declared is dtype:
        return Argument(dtype, value)
    return Argument(dtype, np.asarray(value).astype(declared.numpy).astype(dtype.numpy).item())


def pack(arguments: list[Argument]) -> bytes:
    """The bytes of ``.param`` space: every entry at the next multiple of its own size, little-endian."""
    space = bytearray()
    for argument in arguments:
        data = argument.scalar.tobytes()
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
    elements = buffer.nbytes // itemsize
    strides = [itemsize] * rank
    for axis in reversed(range(rank - 1)):
        strides[axis] = strides[axis + 1] * shape[axis + 1]
    return [
        Argument(DType.UINT64, 0),
        Argument(DType.UINT64, 0),
        Argument(DType.INT64, elements),
        Argument(DType.INT64, itemsize),
        Argument(DType.UINT64, address),
        *(Argument(DType.INT64, extent) for extent in shape),
        *(Argument(DType.INT64, stride) for stride in strides),
    ]


def _reshaped(buffer: Buffer, rank: int) -> tuple[int, ...]:
    if len(buffer.array_shape) == rank:
        return buffer.array_shape
    if rank == 1:
        return (buffer.nbytes // buffer.dtype.numpy.itemsize,)
    msg = f"buffer {buffer.name} of shape {buffer.shape} cannot be passed as an array of {rank} dimensions"
    raise ValueError(msg)


_ARRAY: dict[Abi, Callable[[Buffer, int, int], list[Argument]]] = {
    Abi.C: _c_array,
    Abi.NUMBA: _numba_array,
}
