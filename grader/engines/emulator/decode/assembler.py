"""The frame of one function and the micro-operations emitted for it."""

import re
import struct
from dataclasses import dataclass, field
from typing import Any

from grader.engines.emulator.core.codes import Op
from grader.engines.emulator.core.frames import FRAME_HEADER, ROW_LOCAL
from grader.engines.emulator.decode.constants import ConstantArea
from grader.engines.emulator.decode.program import ServiceCall, Unit, UnsupportedError
from grader.engines.emulator.decode.types import TYPES, PtxType
from grader.engines.emulator.isa.cells import ROW_ALIGN, Cell
from grader.engines.emulator.isa.table import NUMBER
from grader.engines.emulator.ptx.syntax import Function, Instruction

_INTEGER = re.compile(r"-?(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)U?")
_FLOAT_BITS = re.compile(r"(-?)0([fFdD])([0-9a-fA-F]+)")
_DECIMAL = re.compile(r"-?\d+\.\d*(?:[eE][-+]?\d+)?")

Fields = dict[str, int]
"""Values of an instruction record by field. Missing fields are 0; a missing guard is -1."""


@dataclass(slots=True)
class Emitted:
    """One micro-operation before it is written into a record array.

    ``label`` is resolved in its function, ``callee`` in the program. An indirect call has a ``prototype`` of its
    function instead.
    """

    fields: Fields
    label: str | None = None
    callee: str | None = None
    prototype: str | None = None


@dataclass(slots=True)
class Assembler:
    """Emits the micro-operations of one function.

    ``addresses`` maps the name of every reachable variable and function to its address; ``operand_list`` and
    ``services`` are shared by all functions of the program.
    """

    function: Function
    constants: ConstantArea
    operand_list: list[int]
    services: list[ServiceCall]
    addresses: dict[str, int]
    param_offsets: dict[str, int] = field(default_factory=dict)
    local_offsets: dict[str, int] = field(default_factory=dict)
    local_bytes: int = 0
    argument_bytes: int = 0
    emitted: list[Emitted] = field(default_factory=list)
    instruction_starts: list[int] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    work: list[tuple[Unit, int]] = field(default_factory=list)
    frame_bytes: int = FRAME_HEADER
    unit: Unit = Unit.OTHER
    _rows: dict[str, tuple[int, PtxType]] = field(default_factory=dict)
    _free: dict[int, list[int]] = field(default_factory=dict)
    _in_use: list[tuple[int, int]] = field(default_factory=list)
    _guard: int = -1
    _guard_not: int = 0

    def begin(self, instruction: Instruction) -> None:
        """Start on the next PTX instruction."""
        for size, row in self._in_use:
            self._free.setdefault(size, []).append(row)
        self._in_use.clear()
        self.instruction_starts.append(len(self.emitted))
        self.unit = Unit.OTHER
        self._guard, self._guard_not = -1, 0
        if instruction.guard is not None:
            self._guard = self.predicate_row(instruction.guard)
            self._guard_not = int(instruction.negated)

    def emit(self, op: str, d: int, *sources: int, imm: int = 0) -> None:
        """Emit row micro-operation ``op`` with up to three sources."""
        number = NUMBER.get(op)
        if number is None:
            raise UnsupportedError(op)
        self.emit_fields({"op": number, "d": d, "imm": imm} | dict(zip("abc", sources, strict=False)))

    def emit_fields(
        self,
        fields: Fields,
        *,
        label: str | None = None,
        callee: str | None = None,
        prototype: str | None = None,
    ) -> None:
        """Emit any operation under the current guard."""
        fields["guard"], fields["guard_not"] = self._guard, self._guard_not
        self.emitted.append(Emitted(fields, label, callee, prototype))

    def emit_service(self, call: ServiceCall) -> None:
        """Emit a service request to Python."""
        self.emit_fields({"op": int(Op.SERVICE), "imm": len(self.services)})
        self.services.append(call)

    def temporary(self, cell: Cell) -> int:
        """A scratch row for use until the next PTX instruction."""
        size = -(-cell.row_bytes // ROW_ALIGN) * ROW_ALIGN
        free = self._free.get(size)
        row = free.pop() if free else self._grow(size)
        self._in_use.append((size, row))
        return row

    def register(self, name: str) -> tuple[int, PtxType]:
        """The row of a declared register and its type. Raises: ``UnsupportedError`` if it is not declared."""
        known = self._rows.get(name)
        if known is None:
            declared = self.function.register_type(name)
            if declared is None or declared not in TYPES:
                raise UnsupportedError(name, code="unsupported-operand")
            type_ = TYPES[declared]
            row = self._grow(-(-type_.cell.row_bytes // ROW_ALIGN) * ROW_ALIGN)
            known = self._rows[name] = (row, type_)
        return known

    def is_register(self, name: str) -> bool:
        """Whether ``name`` is a register of this function."""
        return name in self._rows or self.function.register_type(name) is not None

    def predicate_row(self, name: str) -> int:
        """The row of a predicate register."""
        row, type_ = self.register(name)
        if type_.cell is not Cell.P:
            raise UnsupportedError(name, code="unsupported-operand")
        return row

    def predicate(self, text: str) -> int:
        """A predicate operand, possibly negated, or a constant."""
        if text.startswith("!"):
            negated = self.temporary(Cell.P)
            self.emit("not.p", negated, self.predicate_row(text[1:].strip()))
            return negated
        if self.is_register(text):
            return self.predicate_row(text)
        return self.constants.predicate(value=bool(immediate(text, TYPES["b32"])))

    def source(self, text: str, type_: PtxType) -> int:
        """An operand as a row of ``type_``'s width. Of a wider register the low bits are used.

        A narrower one is extended by the type's sign, as ``st`` and ``cvt`` require.
        """
        if type_.cell is Cell.P:
            return self.predicate(text)
        if not self.is_register(text):
            if text in self.addresses or text in self.local_offsets:
                return self.address_of(text, type_)
            return self.constants.number(immediate(text, type_), max(type_.bytes, 2))
        row, declared = self.register(text)
        return self.resized(row, declared, type_)

    def resized(self, row: int, declared: PtxType, type_: PtxType) -> int:
        """``row`` converted from the width of ``declared`` to that of ``type_``; the narrowest register has 16 bits."""
        have, want = declared.bits, max(type_.bits, 16)
        if declared.cell is Cell.P:
            raise UnsupportedError(type_.name, code="unsupported-operand")
        if have == want:
            return row
        target = self.temporary(TYPES[f"b{want}"].cell)
        operation = "trunc" if want < have else ("sext" if type_.is_signed else "zext")
        self.emit(f"{operation}.i{want}.i{have}", target, row)
        return target

    def destination(self, text: str, type_: PtxType) -> int:
        """The row for a result of ``type_``; ``_`` discards it. Call ``settle`` after writing it."""
        if text == "_":
            return self.temporary(type_.cell)
        row, declared = self.register(text)
        if (declared.cell is Cell.P) != (type_.cell is Cell.P):
            raise UnsupportedError(text, code="unsupported-operand")
        if declared.bits == max(type_.bits, 16) or type_.cell is Cell.P:
            return row
        return self.temporary(TYPES[f"b{max(type_.bits, 16)}"].cell)

    def settle(self, text: str, type_: PtxType, row: int) -> None:
        """Move a result to a register wider (or narrower) than its type, extended by the type's sign."""
        if text == "_":
            return
        target, declared = self.register(text)
        if target == row:
            return
        have, want = max(type_.bits, 16), declared.bits
        operation = "trunc" if want < have else ("sext" if type_.is_signed else "zext")
        self.emit(f"{operation}.i{want}.i{have}", target, row)

    def address_of(self, name: str, type_: PtxType) -> int:
        """The address of a variable as an operand."""
        if name in self.addresses:
            return self.constants.number(self.addresses[name], type_.bytes)
        target = self.temporary(Cell.I64)
        self.emit("add.i64", target, ROW_LOCAL, self.constants.number(self.local_offsets[name], 8))
        return self.resized(target, TYPES["b64"], type_)

    def _grow(self, size: int) -> int:
        row = self.frame_bytes
        self.frame_bytes += size
        return row


def immediate(text: str, type_: PtxType) -> int:
    """The bits of an immediate operand, as an integer of ``type_``'s width. Raises: ``UnsupportedError``."""
    if match := _FLOAT_BITS.fullmatch(text):
        negative, letter, digits = match.groups()
        bits = int(digits, 16)
        is_double = letter in "dD"
        number = struct.unpack("<d" if is_double else "<f", bits.to_bytes(8 if is_double else 4, "little"))[0]
        if is_double == (type_.bits == 64) and not negative:
            return bits
        return float_bits(-number if negative else number, type_)
    if _INTEGER.fullmatch(text):
        number = int(text.rstrip("U"), 0) if not re.fullmatch(r"-?0\d+U?", text) else int(text.rstrip("U"), 8)
        return float_bits(float(number), type_) if type_.is_float else number
    if _DECIMAL.fullmatch(text):
        return float_bits(float(text), type_)
    if text == "WARP_SZ":
        return 32
    raise UnsupportedError(text, code="unsupported-operand")


def float_bits(number: float, type_: PtxType) -> int:
    """The bits of a float in ``type_``'s width."""
    code: dict[int, Any] = {16: "<e", 32: "<f", 64: "<d"}
    return int.from_bytes(struct.pack(code[type_.bits], number), "little")


def split_address(text: str) -> tuple[str, int]:
    """Split ``[%rd1+-4]`` into base and offset; an absolute address has no base. Raises: ``UnsupportedError``."""
    match = re.fullmatch(r"\[\s*([\w$%@.]*?)\s*(?:\+\s*(-?\w+)|(-\s*\w+))?\s*\]", text)
    if match is None:
        raise UnsupportedError(text, code="unsupported-address")
    base = match[1]
    offset = int((match[2] or match[3] or "0").replace(" ", ""), 0)
    if base.isdigit() or base[:2] in {"0x", "0X"}:
        base, offset = "", int(base, 0) + offset
    if not -(1 << 63) <= offset < 1 << 63:
        raise UnsupportedError(text, code="unsupported-address")
    return base, offset


def vector_elements(text: str) -> tuple[str, ...]:
    """The elements of ``{%f1, %f2}``; any other operand is its only element."""
    if text.startswith("{"):
        return tuple(part.strip() for part in text.strip("{} \n\t").split(","))
    return (text,)
