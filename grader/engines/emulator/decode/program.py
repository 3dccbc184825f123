"""A decoded kernel: everything that a launch needs."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.engines.emulator.core.codes import Op, Space
from grader.engines.emulator.decode.constants import ParameterRow
from grader.engines.emulator.decode.geometries import Geometry
from grader.engines.emulator.ptx.syntax import Location
from grader.model.reason import Param, Reason

SHARED_GAP = 1024
"""Unused bytes between shared arrays, to detect overruns. A multiple of 128 keeps the arrays' banks."""

_SHOWN = 200
_WORD = 4


class Unit(IntEnum):
    """Arithmetic pipe that a PTX instruction counts for."""

    OTHER = 0
    FP32 = 1
    FP64 = 2
    INT32 = 3


class Service(StrEnum):
    """Operations that Python executes for the interpreter. Device runtime functions have their names as values."""

    PRINT = "vprintf"
    ASSERT = "__assertfail"
    MALLOC = "malloc"
    FREE = "free"
    MATRIX = "wmma.mma"
    TEXTURE = "tex"
    SURFACE = "surface"


ACCESSES = (Op.LOAD, Op.STORE, Op.ATOMIC)
"""Operations that access memory."""

READS_TEXELS = frozenset({Service.TEXTURE, Service.SURFACE})
"""Services that read through the texture units."""


@dataclass(frozen=True, slots=True)
class Row:
    """Location of a service's operand: its offset as in an instruction, and the bytes of one lane."""

    offset: int
    bytes: int


@dataclass(frozen=True, slots=True)
class MatrixShape:
    """A product of an ``m`` by ``k`` and a ``k`` by ``n`` matrix, added to one of ``m`` by ``n``.

    ``registers`` are the registers of each of the three; element types are PTX types.
    """

    m: int
    n: int
    k: int
    a_by_rows: bool
    b_by_rows: bool
    registers: tuple[int, ...]
    result: str
    multiplicand: str
    accumulator: str
    saturates: bool


@dataclass(frozen=True, slots=True)
class Fetch:
    """A read of a texture at float32 coordinates or, in linear memory, at an index.

    ``gathered``: the component to return of the four texels around a point; ``None`` to sample.
    """

    geometry: Geometry
    gathered: int | None = None


class Boundary(StrEnum):
    """What an access outside a surface does: stop the kernel, use the closest element, or read zeros."""

    TRAP = "trap"
    CLAMP = "clamp"
    ZERO = "zero"


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceAccess:
    """An access of ``count`` elements of a surface, at a position in bytes."""

    geometry: Geometry
    element_bytes: int
    count: int
    boundary: Boundary
    is_write: bool


@dataclass(frozen=True, slots=True)
class ServiceCall:
    """A service request in a program: operands, results and constant details."""

    service: Service
    sources: tuple[Row, ...]
    targets: tuple[Row, ...] = ()
    detail: MatrixShape | Fetch | SurfaceAccess | None = None


@dataclass(frozen=True, slots=True)
class SharedArray:
    """A shared variable's offset in the emulated layout. ``size`` is ``None`` for the dynamic one."""

    name: str
    offset: int
    size: int | None


@dataclass(frozen=True, slots=True)
class Span:
    """One function's micro-operations, ``start`` to before ``stop``, and the bytes of its frame."""

    start: int
    stop: int
    frame_bytes: int


@dataclass(frozen=True, kw_only=True)
class Program:
    """Micro-operations of a kernel and of every function it can reach.

    ``code`` has dtype ``records.INSTRUCTION``; ``locations`` and ``texts`` run parallel to it. ``ends`` is 1 for the
    last micro-operation of a PTX instruction, ``units`` its ``Unit``, ``operations`` how many operations of that unit
    it counts for in each thread, and ``waits`` its parts of the chains of dependent instructions and loads, and
    whether it is a barrier after loads (``decode.chains``). ``imm`` of a ``SERVICE`` is an index of ``services``.
    ``spans`` are its functions. ``flow`` says what becomes of the values of its loads and stores
    (``core.codes.Flow``), if they were followed.
    """

    kernel: str
    code: NDArray[Any]
    operands: NDArray[Any]
    services: tuple[ServiceCall, ...]
    locations: tuple[Location | None, ...]
    texts: tuple[str, ...]
    ends: NDArray[Any]
    units: NDArray[Any]
    operations: NDArray[Any]
    waits: NDArray[Any]
    entry: int
    spans: tuple[Span, ...]
    constants: bytes
    parameters: tuple[ParameterRow, ...]
    parameter_bytes: int
    launch_rows: dict[str, int]
    block_rows: int
    frame_bytes: int
    local_bytes: int
    shared: tuple[SharedArray, ...]
    static_shared_bytes: int
    flow: NDArray[Any] | None = None

    def has_narrow_accesses(self, space: Space) -> bool:
        """Whether a load, store or atomic may access less than four bytes in ``space``."""
        return not self._narrow_spaces.isdisjoint({space, Space.GENERIC})

    @cached_property
    def ops(self) -> frozenset[int]:
        """The operations in the code."""
        return frozenset(self.code["op"].tolist())

    @cached_property
    def lines(self) -> tuple[Location, ...]:
        """The source lines of the code, in order."""
        return tuple(
            sorted({each for each in self.locations if each}, key=lambda each: (each.file, each.line))
        )

    @cached_property
    def line_numbers(self) -> NDArray[np.intp]:
        """For each micro-operation the index of its line in ``lines``; behind the last where it has none."""
        numbers: dict[Location | None, int] = {line: number for number, line in enumerate(self.lines)}
        return np.array([numbers.get(each, len(numbers)) for each in self.locations], np.intp)

    @cached_property
    def _narrow_spaces(self) -> frozenset[int]:
        code = self.code
        narrow = code["width"].astype(np.int32) * code["count"] < _WORD
        return frozenset(code["space"][narrow & np.isin(code["op"], ACCESSES)].tolist())


class UnsupportedError(Exception):
    """The program uses a feature that the emulator does not support.

    ``what`` names it: an instruction, such as ``tex.2d.v4.f32.f32``, or the statement ``code`` about another part.
    """

    def __init__(self, what: str, location: Location | None = None, *, code: str = "", **limits: int) -> None:
        shown = what if len(what) <= _SHOWN else f"{what[:_SHOWN]}..."
        params: dict[str, Param] = {"what": shown, **limits}
        self.what: str | Reason = Reason(code=code, params=params) if code else shown
        self.location = location
        super().__init__(f"{code} {shown}".strip())

    def at(self, location: Location | None) -> "UnsupportedError":
        """The same at a source line."""
        self.location = location
        return self
