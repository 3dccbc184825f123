"""A kernel of a program, its parameters, and the outcome of a launch."""

import re
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from grader.compile.signatures import read_signature
from grader.engines.emulator.decode.program import Program
from grader.engines.emulator.ptx.parser import type_bytes
from grader.engines.emulator.ptx.syntax import Variable
from grader.engines.touched import Touched
from grader.model.diagnostic import Diagnostic
from grader.model.module import KernelResources
from grader.programs.error_codes import Error

_POINTER_BYTES = 8


_PAIR = struct.Struct("<II")


_POINTER = struct.Struct("<Q")


_ABI_TAG = re.compile(r"\[abi:[^\]]*\]")
"""What Numba adds to a name for each version of a function."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel that the emulator can launch. ``layout`` has offset and size in bytes of each parameter."""

    number: int
    name: str
    symbol: str
    unit: int
    program: Program
    layout: tuple[tuple[int, int], ...]
    resources: KernelResources

    def pointers(self, parameters: bytes) -> Iterator[tuple[int, int]]:
        """The index of each parameter that may be a pointer, and its value; members of structures too."""
        for index, (offset, size) in enumerate(self.layout):
            for at in range(offset, offset + size - _POINTER_BYTES + 1, _POINTER_BYTES):
                yield index, _POINTER.unpack_from(parameters, at)[0]


@dataclass(frozen=True, slots=True)
class Launched:
    """The outcome of a launch: its modelled time, what was found, and the error that later calls return.

    ``touched`` gives the memory that it used, until the next launch.
    """

    seconds: float
    diagnostics: tuple[Diagnostic, ...]
    error: Error
    touched: Callable[[], tuple[Touched, ...]]


def display_name(symbol: str) -> str:
    """The name of a kernel as the source spells it, without its parameters."""
    signature = read_signature(symbol)
    return symbol if signature is None else _ABI_TAG.sub("", signature.name)


def parameter_layout(params: Sequence[Variable]) -> Iterator[tuple[int, int]]:
    """Offset and size in bytes of each parameter."""
    at = 0
    for param in params:
        size = type_bytes(param.type) * (param.count or 1)
        align = max(param.align, type_bytes(param.type))
        at = -(-at // align) * align
        yield at, size
        at += size


def packed_layout(kernel: Kernel) -> bytes:
    """``layout`` as the runtime reads it."""
    return b"".join(_PAIR.pack(*each) for each in kernel.layout)
