"""Launch plans: which kernels to launch, in which order, on which buffers."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from grader.model.element_types import Element, NumberKind
from grader.model.texture import Texture

if TYPE_CHECKING:
    from numpy.typing import NDArray

POISON_BYTE = 0xFF
"""Fill byte for memory of no known type: NaN as a float."""

_INTEGER_POISON_BYTE = 0xA5
"""Four of them are -1,515,870,811 as an int32. No lab expects this answer; some may expect -1."""


def poison_byte(element: Element) -> int:
    """The byte with which every engine fills OUTPUT and SCRATCH buffers of ``element`` before a run."""
    whole = all(number.kind is NumberKind.WHOLE for number in element.numbers)
    return _INTEGER_POISON_BYTE if whole else POISON_BYTE


@dataclass(frozen=True, slots=True, kw_only=True)
class Dim3:
    """Extents of a grid (in blocks) or of a block (in threads)."""

    x: int = 1
    y: int = 1
    z: int = 1

    @property
    def size(self) -> int:
        """The product of the extents."""
        return self.x * self.y * self.z

    def __str__(self) -> str:
        return f"{self.x}x{self.y}x{self.z}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Geometry:
    """Launch geometry as text: one expression per dimension over the lab's size names (see ``labs.geometry``).

    ``shared`` is the dynamic shared memory in bytes. Within ``grid`` and ``shared`` the names ``block``
    (threads per block), ``block_x``, ``block_y`` and ``block_z`` stand for the block's extents. ``constants`` are the
    author's named integers; none has the name of a size.
    """

    grid: tuple[str, ...]
    block: tuple[str, ...]
    shared: str = "0"
    constants: dict[str, int] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        shared = "" if self.shared == "0" else f" shared={self.shared}"
        return f"block={','.join(self.block)} grid={','.join(self.grid)}{shared}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchShape:
    """A geometry evaluated for one case: grid and block extents, dynamic shared memory in bytes."""

    grid: Dim3
    block: Dim3
    shared_bytes: int = 0


class Role(StrEnum):
    """The purpose of a buffer; it determines what is copied and what is checked after the run."""

    INPUT = "input"
    OUTPUT = "output"
    INOUT = "inout"
    SCRATCH = "scratch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Buffer:
    """A device buffer: element type and shape in elements (row-major, C-contiguous).

    ``fixed``: the meaning of its input elements depends on their position (indices, coefficients). Elements of other
    inputs may be resampled, with repetition, for a timed launch.
    """

    name: str
    dtype: Element
    shape: tuple[int, ...]
    role: Role
    fixed: bool = False

    @property
    def array_shape(self) -> tuple[int, ...]:
        """The shape of the array in NumPy and Numba: that of the buffer, and one axis for the components of vectors."""
        return (*self.shape, *self.dtype.lanes)

    def array(self, data: bytes) -> "NDArray[Any]":
        """The bytes of the buffer as an array that cannot be written. Raises: ``ValueError`` for another size."""
        import numpy as np  # noqa: PLC0415 - slow to load, and a client of workers needs it only here

        return np.frombuffer(data, self.dtype.numpy).reshape(self.array_shape)

    @property
    def size(self) -> int:
        """Elements."""
        count = 1
        for extent in self.shape:
            count *= extent
        return count

    @property
    def nbytes(self) -> int:
        """Bytes."""
        return self.size * self.dtype.itemsize


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """One kernel launch.

    An argument that is a ``str`` names a buffer; a number is passed by value, and so are the numbers of a vector or
    struct, in the order of their addresses.
    """

    kernel: str
    shape: LaunchShape
    args: tuple[str | int | float | tuple[int | float, ...] | Texture, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """Memory that is set between launches, as by ``cudaMemset`` and ``cudaMemcpy``: the whole buffer ``target``.

    It gets the content of the buffer ``source``, or ``byte`` in each byte if there is none. With ``symbol_of``, the
    target is the variable ``target`` of device or constant memory in the code of that kernel.
    """

    target: str
    source: str = ""
    byte: int = 0
    symbol_of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a plan: a transfer, or else the launch with this index in ``LaunchPlan.launches``."""

    launch: int = 0
    transfer: Transfer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """The steps from ``first`` to ``behind - 1`` repeat, at most ``most`` times, as the device's memory says.

    After each round, the loop ends if the first element of the buffer ``flag`` is 0, or with ``until``, is not 0.
    """

    first: int
    behind: int
    flag: str
    most: int
    until: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchPlan:
    """What computes one answer on one case, on one stream: ``steps`` in order; without any, each launch once.

    Of nested ``loops`` the inner one comes first.
    """

    buffers: tuple[Buffer, ...]
    launches: tuple[Launch, ...]
    steps: tuple[Step, ...] = ()
    loops: tuple[Loop, ...] = ()

    @property
    def ordered(self) -> tuple[Step, ...]:
        """All steps in order."""
        return self.steps or tuple(Step(launch=index) for index in range(len(self.launches)))

    @property
    def returned(self) -> tuple[Buffer, ...]:
        """The buffers that hold the answer: OUTPUT and INOUT."""
        return tuple(buffer for buffer in self.buffers if buffer.role in {Role.OUTPUT, Role.INOUT})

    def buffer(self, name: str) -> Buffer:
        """The buffer called ``name``. Raises: ``KeyError``."""
        for buffer in self.buffers:
            if buffer.name == name:
                return buffer
        raise KeyError(name)
