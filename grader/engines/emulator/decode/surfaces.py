"""Decode accesses of surface objects: ``suld.b`` and ``sust.b``. Source: PTX ISA, "Surface Instructions"."""

from grader.engines.emulator.decode.arithmetic import Handler
from grader.engines.emulator.decode.assembler import Assembler, vector_elements
from grader.engines.emulator.decode.geometries import Geometry
from grader.engines.emulator.decode.program import (
    Boundary,
    Row,
    Service,
    ServiceCall,
    SurfaceAccess,
    UnsupportedError,
)
from grader.engines.emulator.decode.textures import addressed
from grader.engines.emulator.decode.types import TYPES
from grader.engines.emulator.ptx.syntax import Instruction

_VECTORS = {"v2": 2, "v4": 4}
_NARROWEST_ROW = 2


def _suld(asm: Assembler, ins: Instruction) -> None:
    """``suld.b.2d.v2.b32.trap {a, b}, [surface, {x, y}]``; ``x`` is in bytes."""
    access, type_ = _access(ins, is_write=False)
    sources = addressed(asm, ins, ins.operands[1], access.geometry, "b32")
    texts = vector_elements(ins.operands[0])
    rows = [asm.destination(text, TYPES[type_]) for text in texts]
    asm.emit_service(ServiceCall(Service.SURFACE, sources, _rows(rows, access), access))
    for text, row in zip(texts, rows, strict=True):
        asm.settle(text, TYPES[type_], row)


def _sust(asm: Assembler, ins: Instruction) -> None:
    """``sust.b.2d.b32.trap [surface, {x, y}], {a}``."""
    access, type_ = _access(ins, is_write=True)
    sources = addressed(asm, ins, ins.operands[0], access.geometry, "b32")
    rows = [asm.source(text, TYPES[type_]) for text in vector_elements(ins.operands[1])]
    asm.emit_service(ServiceCall(Service.SURFACE, (*sources, *_rows(rows, access)), (), access))


def _access(ins: Instruction, *, is_write: bool) -> tuple[SurfaceAccess, str]:
    """What an instruction accesses, and the type of each element."""
    kind, geometry, *vector, type_, boundary = ins.opcode[1:]
    count = _VECTORS[vector[0]] if vector else 1
    if kind != "b" or len(vector) > 1:
        raise UnsupportedError(ins.text)
    access = SurfaceAccess(
        geometry=Geometry(geometry),
        element_bytes=TYPES[type_].bytes,
        count=count,
        boundary=Boundary(boundary),
        is_write=is_write,
    )
    return access, type_


def _rows(rows: list[int], access: SurfaceAccess) -> tuple[Row, ...]:
    """Rows of the elements; the narrowest register has two bytes."""
    return tuple(Row(row, max(access.element_bytes, _NARROWEST_ROW)) for row in rows)


SURFACES: dict[str, Handler] = {"suld": _suld, "sust": _sust}
"""Decoders by the base of the opcode."""
