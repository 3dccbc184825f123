"""Decode reads of texture objects: ``tex`` and ``tld4``. Source: PTX ISA, "Texture Instructions"."""

from grader.engines.emulator.decode.arithmetic import Handler
from grader.engines.emulator.decode.assembler import Assembler, vector_elements
from grader.engines.emulator.decode.geometries import Geometry
from grader.engines.emulator.decode.program import Fetch, Row, Service, ServiceCall, UnsupportedError
from grader.engines.emulator.decode.types import TYPES
from grader.engines.emulator.ptx.syntax import Instruction

_RESULTS = {"f32", "s32", "u32"}
_LEVELS = {"level": 3, "grad": 4}
"""Operands of reads that choose a level of a mipmap. Every texture here has one level, which they read."""

_OPERANDS = 2


def _tex(asm: Assembler, ins: Instruction) -> None:
    """``tex.2d.v4.f32.f32 {d, e, f, g}, [texture, {x, y}]``; the texture is an object in a register."""
    chosen = ins.opcode[1:2] if ins.opcode[1] in _LEVELS else ()
    geometry, vector, result, coordinate = _parts(ins, ins.opcode[1 + len(chosen) :])
    operands = _LEVELS[chosen[0]] if chosen else _OPERANDS
    shape = Geometry(geometry)
    if coordinate == "s32" and shape is Geometry.LINE:
        shape = Geometry.MEMORY
    elif coordinate != "f32":
        raise UnsupportedError(ins.text)
    if vector != "v4" or len(ins.operands) not in {operands, operands + (shape is Geometry.VOLUME)}:
        raise UnsupportedError(ins.text)
    _emit(asm, ins, Fetch(shape), result)


def _tld4(asm: Assembler, ins: Instruction) -> None:
    """``tld4.r.2d.v4.f32.f32 {d, e, f, g}, [texture, {x, y}]``: one component of the four texels around a point."""
    geometry, vector, result, coordinate = _parts(ins, ins.opcode[2:])
    is_known = geometry == Geometry.PLANE and vector == "v4" and coordinate == "f32"
    if not is_known or len(ins.operands) != _OPERANDS:
        raise UnsupportedError(ins.text)
    _emit(asm, ins, Fetch(Geometry.PLANE, gathered="rgba".index(ins.opcode[1])), result)


def _parts(ins: Instruction, parts: tuple[str, ...]) -> tuple[str, str, str, str]:
    """Geometry, vector, and the types of the result and of the coordinates."""
    geometry, vector, result, coordinate = parts
    if result not in _RESULTS:
        raise UnsupportedError(ins.text)
    return geometry, vector, result, coordinate


def _emit(asm: Assembler, ins: Instruction, detail: Fetch, result: str) -> None:
    coordinate = "s32" if detail.geometry is Geometry.MEMORY else "f32"
    sources = addressed(asm, ins, ins.operands[1], detail.geometry, coordinate)
    targets = vector_elements(ins.operands[0])
    rows = [asm.destination(text, TYPES[result]) for text in targets]
    asm.emit_service(ServiceCall(Service.TEXTURE, sources, tuple(Row(row, 4) for row in rows), detail))
    for text, row in zip(targets, rows, strict=True):
        asm.settle(text, TYPES[result], row)


def addressed(
    asm: Assembler, ins: Instruction, operand: str, geometry: Geometry, coordinate: str
) -> tuple[Row, ...]:
    """The object in a register, the layer if there are several, and the coordinates of ``[object, {...}]``.

    PTX fills vectors of coordinates up to two or four elements. Raises: ``UnsupportedError``.
    """
    handle, _, rest = operand.strip("[] ").partition(",")
    texts = vector_elements(rest.strip())
    wanted = geometry.is_layered + geometry.coordinates
    if not asm.is_register(handle.strip()) or len(texts) < wanted:
        raise UnsupportedError(ins.text)
    types = ("b32",) * geometry.is_layered + (coordinate,) * geometry.coordinates
    return (
        Row(asm.source(handle.strip(), TYPES["b64"]), 8),
        *(Row(asm.source(text, TYPES[type_]), 4) for text, type_ in zip(texts, types, strict=False)),
    )


TEXTURES: dict[str, Handler] = {"tex": _tex, "tld4": _tld4}
"""Decoders by the base of the opcode."""
