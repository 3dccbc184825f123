"""A decoded kernel: everything that a launch needs."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any

from numpy.typing import NDArray

from grader.engines.emulator.decode.constants import ParameterRow
from grader.engines.emulator.ptx.syntax import Location

SHARED_GAP = 1024
"""Unused bytes between shared arrays, to detect overruns. A multiple of 128 keeps the arrays' banks."""

_SHOWN = 200


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
    """A read of a 1D or 2D texture at float32 coordinates or, in linear memory, at an index."""

    dimensions: int
    by_index: bool


@dataclass(frozen=True, slots=True)
class ServiceCall:
    """A service request in a program: operands, results and constant details."""

    service: Service
    sources: tuple[Row, ...]
    targets: tuple[Row, ...] = ()
    detail: MatrixShape | Fetch | None = None


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """Micro-operations of a kernel and of every function it can reach.

    ``code`` has dtype ``records.INSTRUCTION``; ``locations`` and ``texts`` run parallel to it. ``ends`` is 1 for the
    last micro-operation of a PTX instruction, ``units`` its ``Unit``, ``operations`` how many operations of that unit
    it counts for in each thread. ``imm`` of a ``SERVICE`` is an index of ``services``. ``spans`` are its functions.
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


class UnsupportedError(Exception):
    """The program uses a feature that the emulator does not support.

    ``what`` names it, such as ``tex.2d.v4.f32.f32``, or with its role: ``special register %envreg0``.
    """

    def __init__(self, what: str, location: Location | None = None, *, role: str = "") -> None:
        whole = f"{role} {what}".strip()
        self.what = whole if len(whole) <= _SHOWN else f"{whole[:_SHOWN]}..."
        self.location = location
        super().__init__(self.what)
