"""Decode ``tex``: reads of texture objects. Source: PTX ISA, "Texture Instructions"."""

from grader.engines.emulator.decode.arithmetic import Handler
from grader.engines.emulator.decode.assembler import Assembler, vector_elements
from grader.engines.emulator.decode.program import Fetch, Row, Service, ServiceCall, UnsupportedError
from grader.engines.emulator.decode.types import TYPES
from grader.engines.emulator.ptx.syntax import Instruction

_GEOMETRIES = {"1d": 1, "2d": 2}
_RESULTS = {"f32", "s32", "u32"}
_COORDINATES = {"f32", "s32"}
_OPERANDS = 2


def _tex(asm: Assembler, ins: Instruction) -> None:
    """``tex.1d.v4.f32.s32 {d, e, f, g}, [texture, {x}]``; the texture is an object in a register."""
    geometry, vector, result, coordinate = (ins.opcode[1:] + ("",) * 4)[:4]
    is_known = (
        len(ins.opcode) == 5
        and geometry in _GEOMETRIES
        and vector == "v4"
        and result in _RESULTS
        and coordinate in _COORDINATES
        and not (coordinate == "s32" and geometry != "1d")
        and len(ins.operands) == _OPERANDS
    )
    texture, _, coordinates = ins.operands[1].strip("[] ").partition(",")
    if not is_known or not asm.is_register(texture.strip()):
        raise UnsupportedError(ins.text)
    dimensions = _GEOMETRIES[geometry]
    positions = vector_elements(coordinates.strip())[:dimensions]
    if len(positions) != dimensions:
        raise UnsupportedError(ins.text)
    sources = (
        Row(asm.source(texture.strip(), TYPES["b64"]), 8),
        *(Row(asm.source(text, TYPES[coordinate]), 4) for text in positions),
    )
    targets = vector_elements(ins.operands[0])
    rows = [asm.destination(text, TYPES[result]) for text in targets]
    detail = Fetch(dimensions, by_index=coordinate == "s32")
    asm.emit_service(ServiceCall(Service.TEXTURE, sources, tuple(Row(row, 4) for row in rows), detail))
    for text, row in zip(targets, rows, strict=True):
        asm.settle(text, TYPES[result], row)


TEXTURES: dict[str, Handler] = {"tex": _tex}
"""Decoders by the base of the opcode."""
