"""What to launch, in which order, on which buffers."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from grader.model.kernel import DType
from grader.model.texture import Texture

if TYPE_CHECKING:
    import numpy as np

POISON_BYTE = 0xFF
"""What memory of no known type is filled with: NaN as a float."""

_INTEGER_POISON_BYTE = 0xA5
"""Four of them are -1,515,870,811 as an int32: no answer that a lab asks for, as -1 may be."""


def poison_byte(dtype: "np.dtype[Any]") -> int:
    """What every engine fills OUTPUT and SCRATCH buffers of ``dtype`` with before a run, byte by byte."""
    return _INTEGER_POISON_BYTE if dtype.kind in "iu" else POISON_BYTE


@dataclass(frozen=True, slots=True, kw_only=True)
class Dim3:
    """Extents of a grid (in blocks) or of a block (in threads)."""

    x: int = 1
    y: int = 1
    z: int = 1

    @property
    def size(self) -> int:
        """How many elements the extents span."""
        return self.x * self.y * self.z

    def __str__(self) -> str:
        return f"{self.x}x{self.y}x{self.z}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Geometry:
    """Launch geometry as text: one expression per dimension over the lab's size names (see ``labs.geometry``).

    ``shared`` is the dynamic shared memory in bytes. Within ``grid`` and ``shared`` the names ``block``
    (threads per block), ``block_x``, ``block_y`` and ``block_z`` stand for the block's extents. ``constants`` are
    integers that whoever wrote it has given a name, which is no size's.
    """

    grid: tuple[str, ...]
    block: tuple[str, ...]
    shared: str = "0"
    constants: dict[str, int] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchShape:
    """A geometry evaluated for one case: grid and block extents, dynamic shared memory in bytes."""

    grid: Dim3
    block: Dim3
    shared_bytes: int = 0


class Role(StrEnum):
    """What a buffer is for; it decides what is copied where and what is checked afterwards."""

    INPUT = "input"
    OUTPUT = "output"
    INOUT = "inout"
    SCRATCH = "scratch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Buffer:
    """A device buffer: element type and shape (row-major, C-contiguous).

    ``fixed``: what it holds as an input means something by its place (indices, coefficients); of others, elements may
    be drawn again, with repetition, for a timed launch.
    """

    name: str
    dtype: DType
    shape: tuple[int, ...]
    role: Role
    fixed: bool = False

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
    """One kernel launch. An argument that is a ``str`` names a buffer; a number is passed by value."""

    kernel: str
    shape: LaunchShape
    args: tuple[str | int | float | Texture, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchPlan:
    """The launches of one kernel on one case, in order, on one stream."""

    buffers: tuple[Buffer, ...]
    launches: tuple[Launch, ...]

    @property
    def returned(self) -> tuple[Buffer, ...]:
        """The buffers whose content is the answer: OUTPUT and INOUT."""
        return tuple(buffer for buffer in self.buffers if buffer.role in {Role.OUTPUT, Role.INOUT})

    def buffer(self, name: str) -> Buffer:
        """The buffer called ``name``. Raises: ``KeyError``."""
        for buffer in self.buffers:
            if buffer.name == name:
                return buffer
        raise KeyError(name)
