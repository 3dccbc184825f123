"""What a parameter type of CUDA C accepts, from the compiler's own spelling of it."""

import re
from dataclasses import dataclass
from enum import Enum, auto

from grader.model.arguments import can_pass
from grader.model.element_types import C_TYPES, Composite, Element
from grader.model.kernel import Param

_HANDLE = "unsigned long long"
"""The type of ``cudaTextureObject_t``."""

_QUALIFIERS = re.compile(r"\b(?:const|volatile|__restrict__|__restrict|restrict)\b")
_ALIGNMENT = re.compile(r"_(?:16|32)a$")
"""What CUDA 13 puts behind the names of vector types that are aligned to so many bytes."""

_ROWS = re.compile(r"(.*?)\s*\(\*\)\s*(?:\[\d+\]\s*)+")


class Kind(Enum):
    """What a parameter holds. ``OPEN``: an array or a value, as in a language without declared types."""

    ARRAY = auto()
    VALUE = auto()
    TEXTURE = auto()
    OPEN = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class ParameterType:
    """The type of one parameter.

    ``dtype`` is that of the value or of the array's elements; ``None`` for the lab's. ``struct`` is the name of a type
    that only a lab can know. ``const`` arrays cannot be written.
    """

    kind: Kind
    dtype: Element | None = None
    const: bool = False
    struct: str | None = None

    def accepts(self, param: Param) -> bool:
        """Whether the argument for ``param`` can be passed."""
        if self.kind is Kind.OPEN:
            return param.sampling is None
        if self.struct is not None and self.kind is kind_of(param):
            return isinstance(param.dtype, Composite) and param.dtype.name == self.struct
        return self.kind is kind_of(param) and (self.dtype is None or can_pass(param, self.dtype))


def kind_of(param: Param) -> Kind:
    """What the lab passes for ``param``."""
    if param.sampling is not None:
        return Kind.TEXTURE
    return Kind.ARRAY if param.is_array else Kind.VALUE


def c_type(spelling: str, *, handles: bool) -> ParameterType:
    """The type that the demangler spells as ``spelling``, for instance ``float4 const*``.

    ``float (*) [16]`` is an array of rows. ``void*`` accepts any array. ``handles``: the lab passes textures, so
    ``cudaTextureObject_t`` is no number.
    """
    if handles and spelling == _HANDLE:
        return ParameterType(Kind.TEXTURE)
    rows = _ROWS.fullmatch(spelling)
    pointer = spelling if rows is None else f"{rows[1]}*"
    bare = " ".join(_QUALIFIERS.sub(" ", pointer).split())
    kind = Kind.ARRAY if bare.endswith("*") else Kind.VALUE
    element = bare.removesuffix("*").rstrip()
    const = kind is Kind.ARRAY and "const" in pointer.split("*")[0].split()
    if element == "void":
        return ParameterType(kind, None, const)
    dtype = C_TYPES.get(_ALIGNMENT.sub("", element))
    if dtype is None and element.isidentifier():
        return ParameterType(kind, None, const, element)
    return ParameterType(Kind.OTHER if dtype is None else kind, dtype, const)
