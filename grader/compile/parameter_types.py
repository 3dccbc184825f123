"""What a parameter type of CUDA C accepts, from the compiler's own spelling of it."""

import re
from dataclasses import dataclass
from enum import Enum, auto

from grader.model.arguments import can_pass
from grader.model.kernel import DType, Param

_DTYPES = {
    "int": DType.INT32,
    "unsigned int": DType.UINT32,
    "long": DType.INT64,
    "long long": DType.INT64,
    "unsigned long": DType.UINT64,
    "unsigned long long": DType.UINT64,
    "float": DType.FLOAT32,
    "double": DType.FLOAT64,
}
_VECTORS = {
    "int": DType.INT32,
    "uint": DType.UINT32,
    "long": DType.INT64,
    "ulong": DType.UINT64,
    "longlong": DType.INT64,
    "ulonglong": DType.UINT64,
    "float": DType.FLOAT32,
    "double": DType.FLOAT64,
}
_PACKED = frozenset({"char4", "uchar4", "short2", "ushort2", "__half2", "__nv_bfloat162"})
"""Types of several values in four bytes, which an array of whole numbers may hold."""

_HANDLE = "unsigned long long"
"""The type of ``cudaTextureObject_t``."""

_QUALIFIERS = re.compile(r"\b(?:const|volatile|__restrict__|__restrict|restrict)\b")
_VECTOR = re.compile(r"([a-z]+)[1-4](?:_(?:16|32)a)?")
_ROWS = re.compile(r"(.*?)\s*\(\*\)\s*(?:\[\d+\]\s*)+")


class Kind(Enum):
    """What a parameter holds. ``OPEN``: an array or a number, as in a language without declared types."""

    ARRAY = auto()
    NUMBER = auto()
    TEXTURE = auto()
    OPEN = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class ParameterType:
    """The type of one parameter.

    ``dtype`` is that of the number or of the array's elements; ``None`` for the lab's. ``const`` arrays cannot be
    written.
    """

    kind: Kind
    dtype: DType | None = None
    const: bool = False

    def accepts(self, param: Param) -> bool:
        """Whether the argument for ``param`` can be passed."""
        if self.kind is Kind.OPEN:
            return param.sampling is None
        return self.kind is kind_of(param) and (self.dtype is None or can_pass(param, self.dtype))


def kind_of(param: Param) -> Kind:
    """What the lab passes for ``param``."""
    if param.sampling is not None:
        return Kind.TEXTURE
    return Kind.ARRAY if param.is_array else Kind.NUMBER


def c_type(spelling: str, *, handles: bool) -> ParameterType:
    """The type that the demangler spells as ``spelling``, for instance ``float4 const*``.

    A pointer to a vector type is an array of its components, and ``float (*) [16]`` an array of rows. ``void*`` accepts
    any array. ``handles``: the lab passes textures, so ``cudaTextureObject_t`` is not a number.
    """
    if handles and spelling == _HANDLE:
        return ParameterType(Kind.TEXTURE)
    rows = _ROWS.fullmatch(spelling)
    pointer = spelling if rows is None else f"{rows[1]}*"
    bare = " ".join(_QUALIFIERS.sub(" ", pointer).split())
    if not bare.endswith("*"):
        dtype = _DTYPES.get(bare)
        return ParameterType(Kind.OTHER if dtype is None else Kind.NUMBER, dtype)
    element = bare.removesuffix("*").rstrip()
    const = "const" in pointer.split("*")[0].split()
    if element == "void":
        return ParameterType(Kind.ARRAY, None, const)
    dtype = _element(element)
    return ParameterType(Kind.OTHER if dtype is None else Kind.ARRAY, dtype, const)


def _element(spelling: str) -> DType | None:
    """The type of an array's elements in the lab, by the type of its elements in the kernel."""
    if spelling in _PACKED:
        return DType.UINT32
    vector = _VECTOR.fullmatch(spelling)
    return _DTYPES.get(spelling) if vector is None else _VECTORS.get(vector[1])
