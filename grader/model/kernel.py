"""The kernels that a lab requires, with typed parameters."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from grader.model.element_types import Composite, DType, Element, element_type
from grader.model.texture import Sampling

_PARAM = re.compile(
    r"(const\s+|fixed\s+|inout\s+|zeroed\s+|scratch\s+|texture(?:\(([^)]*)\))?\s+)?"
    r"(\w+)\s+(\w+)((?:\s*\[[^\[\]]+\])*)"
)
_TEXTURE_DIMENSIONS = (1, 2)
_TEXELS = {DType.INT32, DType.UINT32, DType.FLOAT32}


_WRITTEN = {"inout": "written in place", "zeroed": "zeroed", "scratch": "scratch memory"}

_ADVICE = (
    (r"\bstruct\b", "declare the struct in a [[structs]] table, and write e.g. 'const Body bodies[n]'"),
    (r"\bvolatile\b", "volatile is for the kernel alone; write e.g. 'inout int32 flags[n]'"),
    (r"\*\s*\*", "arrays of pointers are not possible; pass one array and one of offsets"),
    (r"\*", "write the sizes of an array, e.g. 'const float32 a[rows][cols]'"),
    (
        r"\bconstant\b|__constant__",
        "write e.g. 'fixed float32 mask[25]', or symbols = ['float32 mask[25]'] for a variable of the student's file",
    ),
    (
        r"^(?:in|out|input|output)\b",
        "write 'const float32 a[n]' for an input, and 'float32 a[n]' for an output",
    ),
    (r"\[\s*\]", "write the sizes of an array, e.g. 'const float32 a[rows][cols]'"),
    (r"\bunsigned\b", "write e.g. 'const uint32 a[n]'"),
)
"""What to write instead, by what stands in a text that is no parameter."""


def _advice(text: str) -> str:
    default = "write e.g. 'const float32 a[rows][cols]' or 'int32 n'"
    return next((advice for pattern, advice in _ADVICE if re.search(pattern, text)), default)


@dataclass(frozen=True, slots=True, kw_only=True)
class Param:
    """One kernel parameter. ``dims`` are the extents of an array, outermost first; a value has none.

    An extent has the syntax of launch geometry: a number, the name of a size, or an expression such as ``rows + 1``.

    In CUDA C an array is a pointer to its row-major elements; in Numba it is a C-contiguous array of ``rank``
    dimensions. ``const`` arrays are read only, ``inout`` ones hold input and are written in place, others
    are written only. ``zeroed`` ones hold zeros before they are written in place, ``scratch`` ones may be used and hold
    no answer. ``fixed`` arrays are read only, too, and their elements depend on their position, such as indices
    (see ``Buffer``). An array with ``sampling`` is read as a texture, in CUDA C only.
    """

    name: str
    dtype: Element
    dims: tuple[str, ...] = ()
    const: bool = False
    inout: bool = False
    fixed: bool = False
    zeroed: bool = False
    scratch: bool = False
    sampling: Sampling | None = None

    @property
    def is_array(self) -> bool:
        """Whether the parameter is a buffer (as opposed to a number, vector or struct passed by value)."""
        return bool(self.dims)

    @property
    def rank(self) -> int:
        """The dimensions of the array in NumPy and Numba: those declared, and one for the components of vectors."""
        return len(self.dims) + len(self.dtype.lanes)

    @property
    def c_declaration(self) -> str:
        """The parameter as a CUDA C student would declare it: ``const float *a``."""
        if self.sampling is not None:
            return f"cudaTextureObject_t {self.name}"
        return f"{self.c_type}{'' if self.is_array else ' '}{self.name}"

    @property
    def c_type(self) -> str:
        """Its type in CUDA C: ``const float *``."""
        const = "const " if self.const else ""
        return f"{const}{self.dtype.c_name}{' *' if self.is_array else ''}"

    @classmethod
    def parse(cls, text: str, structs: Iterable[Composite] = ()) -> "Param":
        """Read a manifest's spelling: ``"const float32 a[rows][cols]"``, ``"inout int32 x[n]"`` or ``"int32 n"``.

        An array of indices is spelt ``"fixed int32 starts[rows + 1]"``.
        A texture is spelt ``"texture(linear, wrap, normalised) float32 image[rows][cols]"``.

        ``structs`` are the lab's own element types. Raises: ``ValueError`` with the error in ``text``.
        """
        match = _PARAM.fullmatch(text.strip())
        if match is None:
            msg = f"{text!r} is not a parameter; {_advice(text)}"
            raise ValueError(msg)
        kind, words, dtype, name, extents = match.groups()
        kind = (kind or "").strip()
        dims = tuple(dim.strip() for dim in re.findall(r"\[([^\]]+)\]", extents))
        sampling = Sampling.parse(words or "") if kind.startswith("texture") else None
        try:
            element = element_type(dtype, structs)
        except ValueError as error:
            msg = f"{text!r}: {error}"
            raise ValueError(msg) from None
        if sampling is not None and (len(dims) not in _TEXTURE_DIMENSIONS or element not in _TEXELS):
            msg = f"{text!r}: a texture has one or two dimensions of int32, uint32 or float32"
            raise ValueError(msg)
        if kind in {"inout", "zeroed", "scratch"} and not dims:
            msg = f"{text!r}: what has no [sizes] is passed by value; only an array can be {_WRITTEN[kind]}"
            raise ValueError(msg)
        return cls(
            name=name,
            dtype=element,
            dims=dims,
            const=kind in {"const", "fixed"} or sampling is not None,
            inout=kind == "inout",
            fixed=kind == "fixed",
            zeroed=kind == "zeroed",
            scratch=kind == "scratch",
            sampling=sampling,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionSpec:
    """A device function that a student writes for the frame of a lab. ``returns``: nothing, or one element.

    ``body``: the student's file has the statements of the function, and the signature is the lab's.
    """

    name: str
    params: tuple[Param, ...]
    returns: Element | None = None
    body: bool = False

    @property
    def c_signature(self) -> str:
        """The declaration a CUDA C student must write."""
        params = ", ".join(param.c_declaration for param in self.params)
        return f"__device__ {self._c_result} {self.name}({params})"

    def c_pointer(self, name: str) -> str:
        """The declaration of ``name`` as a pointer to such a function in CUDA C."""
        types = ", ".join(param.c_type for param in self.params)
        return f"__device__ {self._c_result} (*{name})({types})"

    @property
    def numba_signature(self) -> str:
        """The definition a Numba student must write."""
        return f"def {self.name}({', '.join(param.name for param in self.params)}):"

    @property
    def _c_result(self) -> str:
        return "void" if self.returns is None else self.returns.c_name


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelSpec:
    """A kernel that a lab requires: its name and its parameters in order.

    ``symbols`` are variables of device or constant memory in the student's code that the lab fills before a launch.
    """

    name: str
    params: tuple[Param, ...]
    symbols: tuple[Param, ...] = ()

    @property
    def has_textures(self) -> bool:
        """Whether it reads an input as a texture."""
        return any(param.sampling is not None for param in self.params)

    @property
    def c_signature(self) -> str:
        """The declaration a CUDA C student must write."""
        return f"__global__ void {self.name}({', '.join(p.c_declaration for p in self.params)})"

    @property
    def numba_signature(self) -> str:
        """The definition a Numba student must write."""
        return f"@cuda.jit\ndef {self.name}({', '.join(p.name for p in self.params)}):"
