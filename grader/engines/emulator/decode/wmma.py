"""Decode ``wmma``: matrices in a warp's registers. Source: PTX ISA, "Warp Level Matrix Multiply-Accumulate".

PTX leaves open how elements are distributed over lanes and registers. Here the elements of a fragment fill the lanes
of the first register, then of the second, and so on, and start again if there are fewer elements than positions.
Multiplicands keep their order in memory; accumulators are stored row by row. So loads and stores become ordinary
accesses to neighbouring elements, with all their diagnostics.
"""

import re

from grader.engines.emulator.core.codes import Op
from grader.engines.emulator.core.collectives import Vote
from grader.engines.emulator.decode.arithmetic import Handler
from grader.engines.emulator.decode.assembler import Assembler, split_address, vector_elements
from grader.engines.emulator.decode.matrices import pair
from grader.engines.emulator.decode.memory import SPACES, load_at, store_at
from grader.engines.emulator.decode.program import MatrixShape, Row, Service, ServiceCall, UnsupportedError
from grader.engines.emulator.decode.types import TYPES
from grader.engines.emulator.isa.cells import WARP, Cell
from grader.engines.emulator.ptx.syntax import Instruction

_WORD = TYPES["b32"]
_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")
_SHAPES = {"m16n16k16", "m32n8k16", "m8n32k16"}
_HALF_REGISTERS = 8
_ELEMENTS = {"f16": 2, "f32": 4, "s32": 4, "s8": 1, "u8": 1}
_ACCUMULATORS = {"f16": {"f16", "f32"}, "s8": {"s32"}, "u8": {"s32"}}
_WORD_BYTES = 4


def _wmma(asm: Assembler, ins: Instruction) -> None:
    handler = {"load": _load, "store": _store, "mma": _multiply}.get(ins.opcode[1])
    shapes = [part for part in ins.opcode if part in _SHAPES]
    if handler is None or len(shapes) != 1:
        raise UnsupportedError(ins.text)
    _gather(asm)
    handler(asm, ins, _numbers(shapes[0]))


def _numbers(shape: str) -> tuple[int, int, int]:
    match = _SHAPE.fullmatch(shape)
    if match is None:
        raise UnsupportedError(shape)
    m, n, k = (int(group) for group in match.groups())
    return m, n, k


def _gather(asm: Assembler) -> None:
    """Require the whole warp: an unused vote reports absent lanes."""
    asm.emit_fields(
        {
            "op": int(Op.VOTE),
            "d": asm.temporary(Cell.P),
            "a": asm.constants.predicate(value=True),
            "target": asm.constants.number(-1, 4),
            "function": int(Vote.ALL),
        }
    )


def _load(asm: Assembler, ins: Instruction, shape: tuple[int, int, int]) -> None:
    targets = vector_elements(ins.operands[0])
    element = ins.opcode[-1]
    order = _Order.of(ins, shape, len(targets))
    address = _Addresses(asm, ins, ins.operands[1], ins.operands[2:], order)
    for register, text in enumerate(targets):
        into = asm.destination(text, TYPES["f32"] if element == "f32" else _WORD)
        if register >= order.distinct:
            asm.emit("mov.i32", into, asm.source(targets[register - order.distinct], _WORD))
        elif order.is_contiguous:
            asm.emit(
                "mov.i32", into, load_at(asm, address.of(register, 0), address.space, _WORD, address.bits)
            )
        else:
            halves = [
                load_at(asm, address.of(register, half), address.space, TYPES["u16"], address.bits)
                for half in (0, 1)
            ]
            asm.emit("mov.i32", into, pair(asm, *halves))


def _store(asm: Assembler, ins: Instruction, shape: tuple[int, int, int]) -> None:
    sources = vector_elements(ins.operands[1])
    order = _Order.of(ins, shape, len(sources))
    address = _Addresses(asm, ins, ins.operands[0], ins.operands[2:], order)
    for register, text in enumerate(sources):
        row = asm.source(text, _WORD)
        if order.is_contiguous:
            store_at(asm, address.of(register, 0), address.space, _WORD, row, address.bits)
            continue
        high = asm.temporary(Cell.I32)
        asm.emit("shr.i32", high, row, asm.constants.number(16, 4))
        for half, value in enumerate((row, high)):
            narrow = asm.resized(value, _WORD, TYPES["u16"])
            store_at(asm, address.of(register, half), address.space, TYPES["u16"], narrow, address.bits)


class _Order:
    """The order of a fragment: which matrix element each register holds, as major and minor index in memory."""

    def __init__(
        self, rows: int, columns: int, *, element: int, registers: int, accumulates: bool, row: bool
    ) -> None:
        self.element = element
        self.per_register = _WORD_BYTES // element
        self.total = rows * columns
        self.distinct = min(registers, self.total // (WARP * self.per_register))
        self.minor_extent = columns if row else rows
        self._turned = accumulates and not row
        self._columns = columns
        self.is_contiguous = self.per_register == 1 or not self._turned

    @classmethod
    def of(cls, ins: Instruction, shape: tuple[int, int, int], registers: int) -> "_Order":
        """The order of a load or store. Raises: ``UnsupportedError`` if the registers cannot hold the matrix."""
        m, n, k = shape
        part, element = ins.opcode[2], ins.opcode[-1]
        layouts = [name for name in ins.opcode if name in {"row", "col"}]
        extents = {"a": (m, k), "b": (k, n), "c": (m, n), "d": (m, n)}.get(part)
        if extents is None or element not in _ELEMENTS or len(layouts) != 1:
            raise UnsupportedError(ins.text)
        order = cls(
            *extents,
            element=_ELEMENTS[element],
            registers=registers,
            accumulates=part in "cd",
            row=layouts[0] == "row",
        )
        if registers != _registers(part, element, order):
            raise UnsupportedError(ins.text)
        return order

    def positions(self, register: int, half: int) -> list[tuple[int, int]]:
        """Major and minor index of each lane's element: element ``half`` of the register."""
        positions = []
        for lane in range(WARP):
            linear = (register * WARP + lane) * self.per_register + half
            if self._turned:
                row, column = divmod(linear, self._columns)
                positions.append((column, row))
            else:
                positions.append(divmod(linear, self.minor_extent))
        return positions


def _registers(part: str, element: str, order: _Order) -> int:
    """Registers of a fragment; 16-bit multiplicands hold the matrix once, twice or four times."""
    if part in "ab" and element == "f16":
        return _HALF_REGISTERS
    return order.total // (WARP * order.per_register)


class _Addresses:
    """Rows of addresses of a matrix in memory."""

    def __init__(
        self, asm: Assembler, ins: Instruction, text: str, stride: tuple[str, ...], order: _Order
    ) -> None:
        spaces = [SPACES[part] for part in ins.opcode if part in SPACES]
        self.space = spaces[0] if spaces else SPACES["generic"]
        self._asm, self._order = asm, order
        base, self._offset = split_address(text)
        if not asm.is_register(base):
            raise UnsupportedError(text, code="unsupported-address")
        self._base, declared = asm.register(base)
        self.bits = declared.bits
        self._stride = asm.source(stride[0], _WORD) if stride else asm.constants.number(order.minor_extent, 4)

    def of(self, register: int, half: int) -> int:
        """Each lane's address of a register's elements, or of the element in one of its halves."""
        asm, order = self._asm, self._order
        positions = order.positions(register, half)
        constants = asm.constants
        index = asm.temporary(Cell.I32)
        asm.emit("mul.i32", index, self._stride, constants.lanes([major for major, _ in positions]))
        asm.emit("add.i32", index, index, constants.lanes([minor for _, minor in positions]))
        asm.emit("mul.i32", index, index, constants.number(order.element, 4))
        asm.emit("add.i32", index, index, constants.number(self._offset, 4))
        type_ = TYPES[f"s{self.bits}"]
        address = asm.temporary(type_.cell)
        asm.emit(f"add.i{self.bits}", address, self._base, asm.resized(index, _WORD, type_))
        return address


def _multiply(asm: Assembler, ins: Instruction, shape: tuple[int, int, int]) -> None:
    """``wmma.mma.sync.aligned.<a's layout>.<b's layout>.<shape>``, then types: of d and c, or of d, a, b and c."""
    position = next(index for index, part in enumerate(ins.opcode) if part in _SHAPES)
    layouts, types = ins.opcode[position - 2 : position], list(ins.opcode[position + 1 :])
    saturates = types[-1:] == ["satfinite"]
    if saturates:
        types.pop()
    if len(types) == 2:
        types = [types[0], "f16", "f16", types[1]]
    is_known = (
        len(types) == 4
        and types[1] == types[2]
        and {types[0], types[3]} <= _ACCUMULATORS.get(types[1], set())
        and not (saturates and types[1] == "f16")
    )
    if not is_known or not set(layouts) <= {"row", "col"}:
        raise UnsupportedError(ins.text)
    d, *inputs = (vector_elements(operand) for operand in ins.operands)
    sources = tuple(Row(asm.source(text, _WORD), _WORD_BYTES) for group in inputs for text in group)
    targets = [asm.destination(text, TYPES["f32"] if types[0] == "f32" else _WORD) for text in d]
    detail = MatrixShape(
        *shape,
        a_by_rows=layouts[0] == "row",
        b_by_rows=layouts[1] == "row",
        registers=tuple(len(group) for group in inputs),
        result=types[0],
        multiplicand=types[1],
        accumulator=types[3],
        saturates=saturates,
    )
    rows = tuple(Row(row, _WORD_BYTES) for row in targets)
    asm.emit_service(ServiceCall(Service.MATRIX, sources, rows, detail))


WMMA: dict[str, Handler] = {"wmma": _wmma}
"""Decoders by the base of the opcode."""
