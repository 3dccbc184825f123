"""Kernel arguments in ``.param`` space, flattened as each ABI requires."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.model.arguments import value_type
from grader.model.element_types import Composite, DType, Element
from grader.model.kernel import Param
from grader.model.module import Abi, BuiltKernel
from grader.model.plan import Buffer, Launch, LaunchPlan
from grader.model.texture import Texture


@dataclass(frozen=True, slots=True)
class Argument:
    """One ``.param`` entry: its type, which has its size and alignment, and its value: a number, or bytes."""

    dtype: Element
    value: int | float | bytes

    @property
    def host(self) -> np.generic | NDArray[np.void]:
        """The value for launch functions: a NumPy scalar, or a record in an array; the bits of a type NumPy lacks.

        CuPy passes the only record of an array by value (its example ``custom_struct/packed_matrix.py``).
        """
        if isinstance(self.value, bytes):
            return np.frombuffer(self.value, [("bytes", np.uint8, (len(self.value),))])
        scalar: np.generic = self.dtype.numpy.type(self.value)
        return scalar.view(np.uint16) if self.dtype is DType.BFLOAT16 else scalar

    @property
    def data(self) -> bytes:
        """The bytes of the value, little-endian."""
        return self.value if isinstance(self.value, bytes) else self.host.tobytes()


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
        wanted, kinds = _wanted(param)
        fits = isinstance(given, kinds)
        if not fits:
            msg = f"parameter {param.name} of {kernel.name} needs {wanted}, the plan passes {given!r}"
            raise ValueError(msg)
        if isinstance(given, Texture):
            flat.append(Argument(DType.UINT64, address_of(given)))
        elif isinstance(given, str):
            flat += array(plan.buffer(given), param.rank, address_of(given))
        elif isinstance(given, tuple):
            flat += _composite(kernel.abi, param, given, passed.dtype)
        else:
            flat.append(_number(param, given, passed.dtype))
    return flat


def _wanted(param: Param) -> tuple[str, type | tuple[type, ...]]:
    """What a plan passes for ``param``, in words and as types."""
    if param.sampling:
        return "a texture", Texture
    if param.is_array:
        return "the name of a buffer", str
    return ("the numbers of it", tuple) if isinstance(param.dtype, Composite) else ("a number", (int, float))


def _number(param: Param, value: float, dtype: Element | None) -> Argument:
    """``value`` of the type that the lab declares, converted to ``dtype`` as C converts it."""
    declared = value_type(param)
    if declared is None or dtype is None:
        msg = f"parameter {param.name} has no type in which a number is passed"
        raise ValueError(msg)
    if declared is dtype:
        return Argument(dtype, value)
    return Argument(dtype, np.asarray(value).astype(declared.numpy).astype(dtype.numpy).item())


def _composite(
    abi: Abi, param: Param, numbers: tuple[int | float, ...], dtype: Element | None
) -> list[Argument]:
    """A vector or a struct: in CUDA C one entry as ``dtype`` is aligned, in Numba an entry for each number."""
    types = param.dtype.numbers
    if dtype is None or len(numbers) != len(types):
        msg = f"parameter {param.name} is {len(types)} numbers by value, the plan passes {numbers!r}"
        raise ValueError(msg)
    flat = [Argument(number, value) for number, value in zip(types, numbers, strict=True)]
    if abi is Abi.NUMBA:
        return flat
    space = bytearray(param.dtype.itemsize)
    for offset, argument in zip(_offsets(param.dtype), flat, strict=True):
        space[offset : offset + argument.dtype.itemsize] = argument.data
    return [Argument(dtype, bytes(space))]


def _offsets(element: Element) -> list[int]:
    """The offset of each number of ``element``."""
    members = element.members if isinstance(element, Composite) else ()
    return [each.offset + index * each.dtype.itemsize for each in members for index in range(each.count)]


def pack(arguments: list[Argument]) -> bytes:
    """The bytes of ``.param`` space: every entry at the next multiple of its own alignment, little-endian."""
    space = bytearray()
    for argument in arguments:
        space += bytes(-len(space) % argument.dtype.alignment)
        space += argument.data
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
