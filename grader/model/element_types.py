"""Element types of kernel parameters: numbers, CUDA's vectors of numbers, and the structs of a lab.

Sources: CUDA C++ Programming Guide, "Built-in Vector Types"; the layout of structs is that of C.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np


class NumberKind(StrEnum):
    """How the bits of a number are read. Kernels may read one kind of a size as another of the same kind only."""

    WHOLE = "whole"
    FLOAT = "float"
    BRAIN = "brain"


class DType(StrEnum):
    """The types of numbers; the value is NumPy's name of the type, or that of ``ml_dtypes`` for bfloat16."""

    BOOL = "bool"
    INT8 = "int8"
    UINT8 = "uint8"
    INT16 = "int16"
    UINT16 = "uint16"
    INT32 = "int32"
    UINT32 = "uint32"
    INT64 = "int64"
    UINT64 = "uint64"
    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"
    FLOAT32 = "float32"
    FLOAT64 = "float64"

    @property
    def numpy(self) -> "np.dtype[Any]":
        """The NumPy dtype."""
        import numpy as np  # noqa: PLC0415 - slow to load, and few callers need it

        if self is DType.BFLOAT16:
            import ml_dtypes  # noqa: PLC0415 - slow to load, and few labs need it

            brain: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
            return brain
        numbers: np.dtype[Any] = np.dtype(self.value)
        return numbers

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return _NUMBERS[self].itemsize

    @property
    def alignment(self) -> int:
        """Bytes that divide the address of an element."""
        return self.itemsize

    @property
    def kind(self) -> NumberKind:
        """How the bits are read."""
        return _NUMBERS[self].kind

    @property
    def epsilon(self) -> float:
        """The distance from 1 to the next number; 0 for whole numbers."""
        return _NUMBERS[self].epsilon

    @property
    def c_name(self) -> str:
        """The type's name in CUDA C."""
        return _NUMBERS[self].c_name

    @property
    def lanes(self) -> tuple[int, ...]:
        """The axes that an element adds to an array in NumPy and Numba: none."""
        return ()

    @property
    def numbers(self) -> tuple["DType", ...]:
        """The numbers of one element."""
        return (self,)


@dataclass(frozen=True, slots=True)
class _Number:
    c_name: str
    itemsize: int
    kind: NumberKind = NumberKind.WHOLE
    epsilon: float = 0.0


_NUMBERS = {
    DType.BOOL: _Number("bool", 1),
    DType.INT8: _Number("signed char", 1),
    DType.UINT8: _Number("unsigned char", 1),
    DType.INT16: _Number("short", 2),
    DType.UINT16: _Number("unsigned short", 2),
    DType.INT32: _Number("int", 4),
    DType.UINT32: _Number("unsigned int", 4),
    DType.INT64: _Number("long long", 8),
    DType.UINT64: _Number("unsigned long long", 8),
    DType.FLOAT16: _Number("__half", 2, NumberKind.FLOAT, 2.0**-10),
    DType.BFLOAT16: _Number("__nv_bfloat16", 2, NumberKind.BRAIN, 2.0**-7),
    DType.FLOAT32: _Number("float", 4, NumberKind.FLOAT, 2.0**-23),
    DType.FLOAT64: _Number("double", 8, NumberKind.FLOAT, 2.0**-52),
}


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a struct, or a component of a vector: ``count`` numbers ``offset`` bytes from its start.

    A count above 1 is a vector, and ``name`` that of the member that holds it.
    """

    name: str
    dtype: DType
    offset: int
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Composite:
    """Several numbers as one element: a vector type of CUDA such as ``float4``, or a struct of a lab.

    In NumPy and Numba an array of vectors has one axis more, which holds the components. An array of structs has
    records.
    """

    name: str
    members: tuple[Member, ...]
    itemsize: int
    alignment: int
    vector: bool

    @property
    def c_name(self) -> str:
        """The type's name in CUDA C."""
        return self.name

    @property
    def lanes(self) -> tuple[int, ...]:
        """The axes that an element adds to an array in NumPy and Numba."""
        return (len(self.members),) if self.vector else ()

    @property
    def numbers(self) -> tuple[DType, ...]:
        """The numbers of one element, in the order of their addresses."""
        return tuple(member.dtype for member in self.members for _ in range(member.count))

    @property
    def numpy(self) -> "np.dtype[Any]":
        """The NumPy dtype: that of a component of a vector, or a record."""
        import numpy as np  # noqa: PLC0415 - slow to load, and few callers need it

        if self.vector:
            return self.members[0].dtype.numpy
        return np.dtype(
            {
                "names": [member.name for member in self.members],
                "formats": [
                    member.dtype.numpy if member.count == 1 else (member.dtype.numpy, (member.count,))
                    for member in self.members
                ],
                "offsets": [member.offset for member in self.members],
                "itemsize": self.itemsize,
            }
        )

    def __str__(self) -> str:
        return self.name


Element = DType | Composite
"""The type of one element of an array."""


COMPONENTS = "xyzw"
"""The names of the components of a vector, in order."""

_VECTOR_NAMES = {
    "char": DType.INT8,
    "uchar": DType.UINT8,
    "short": DType.INT16,
    "ushort": DType.UINT16,
    "int": DType.INT32,
    "uint": DType.UINT32,
    "long": DType.INT64,
    "ulong": DType.UINT64,
    "longlong": DType.INT64,
    "ulonglong": DType.UINT64,
    "float": DType.FLOAT32,
    "double": DType.FLOAT64,
}
_PAIRS = {"half2": ("__half2", DType.FLOAT16), "bfloat162": ("__nv_bfloat162", DType.BFLOAT16)}
_MOST_ALIGNED = 16


def _vector(name: str, dtype: DType, count: int) -> Composite:
    size = dtype.itemsize * count
    return Composite(
        name=name,
        members=tuple(Member(COMPONENTS[i], dtype, i * dtype.itemsize) for i in range(count)),
        itemsize=size,
        # A vector of three is as aligned as its components, the others as a whole.
        alignment=dtype.itemsize if count % 2 else min(size, _MOST_ALIGNED),
        vector=True,
    )


VECTORS = {
    f"{word}{count}": _vector(f"{word}{count}", dtype, count)
    for word, dtype in _VECTOR_NAMES.items()
    for count in (1, 2, 3, 4)
} | {word: _vector(name, dtype, 2) for word, (name, dtype) in _PAIRS.items()}
"""CUDA's vector types by the names that manifests use."""

C_TYPES: dict[str, Element] = {
    **{dtype.c_name: dtype for dtype in DType},
    **{vector.c_name: vector for vector in VECTORS.values()},
    "char": DType.INT8,
    "long": DType.INT64,
    "unsigned long": DType.UINT64,
}
"""The types by the names that the demangler gives them. ``long`` has eight bytes on the platforms of CUDA."""

_ALIASES = {
    "half": DType.FLOAT16,
    "float": DType.FLOAT32,
    "double": DType.FLOAT64,
    "int": DType.INT32,
    "char": DType.INT8,
    "uchar": DType.UINT8,
    "short": DType.INT16,
    "unsigned": DType.UINT32,
    "long": DType.INT64,
    "size_t": DType.UINT64,
}


def element_type(name: str, structs: Iterable[Composite] = ()) -> Element:
    """The type that a manifest calls ``name``, one of a lab's ``structs`` included.

    Raises: ``ValueError`` with the names that exist.
    """
    known: dict[str, Element] = {
        **{each.name: each for each in structs},
        **{dtype.value: dtype for dtype in DType},
        **VECTORS,
    }
    if name in known:
        return known[name]
    if name in _ALIASES:
        msg = f"unknown element type {name!r}; write {_ALIASES[name].value}"
        raise ValueError(msg)
    numbers = ", ".join(DType)
    named = "".join(f", {each.name}" for each in structs)
    msg = f"unknown element type {name!r}; use one of {numbers}, a vector such as float4, uchar3 or half2{named}"
    raise ValueError(msg)


_MEMBER = re.compile(r"(\w+)\s+([A-Za-z_]\w*)(?:\s*\[\s*(\d+)\s*\])?")
_MOST_IN_A_MEMBER = 64


def struct_type(name: str, members: Iterable[str]) -> Composite:
    """The struct of ``members`` such as ``float3 origin``, ``uint8 tag`` and ``float32 weights[4]``, laid out as in C.

    Raises: ``ValueError`` with the error in a member.
    """
    placed: list[Member] = []
    size, alignment = 0, 1
    for text in members:
        match = _MEMBER.fullmatch(text.strip())
        if match is None:
            msg = f"{text!r} is not a member; write e.g. 'float3 origin' or 'float32 weights[4]'"
            raise ValueError(msg)
        element = element_type(match[1])
        count = len(element.numbers) * int(match[3] or 1)
        if match[2] in {each.name for each in placed}:
            msg = f"{text!r}: there is a member {match[2]} already"
            raise ValueError(msg)
        if not 1 <= count <= _MOST_IN_A_MEMBER:
            msg = f"{text!r}: a member has 1 to {_MOST_IN_A_MEMBER} numbers"
            raise ValueError(msg)
        offset = _aligned(size, element.alignment)
        placed.append(Member(match[2], element.numbers[0], offset, count))
        size = offset + element.itemsize * int(match[3] or 1)
        alignment = max(alignment, element.alignment)
    if not placed:
        msg = "it has no members; write e.g. members = ['float3 origin']"
        raise ValueError(msg)
    return Composite(
        name=name,
        members=tuple(placed),
        itemsize=_aligned(size, alignment),
        alignment=alignment,
        vector=False,
    )


def _aligned(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment
