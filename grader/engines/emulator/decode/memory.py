"""Decode loads, stores, atomics and fences."""

from grader.engines.emulator.core.addresses import LOCAL_ORIGIN, SHARED_ORIGIN
from grader.engines.emulator.core.atomics import Atomic
from grader.engines.emulator.core.codes import Flag, Op, Space
from grader.engines.emulator.core.frames import ROW_LOCAL
from grader.engines.emulator.decode.arithmetic import Handler, type_of
from grader.engines.emulator.decode.assembler import Assembler, Fields, split_address, vector_elements
from grader.engines.emulator.decode.program import UnsupportedError
from grader.engines.emulator.decode.types import TYPES, PtxType
from grader.engines.emulator.ptx.syntax import Instruction

SPACES = {
    "generic": Space.GENERIC,
    "global": Space.GLOBAL,
    "shared": Space.SHARED,
    "shared::cta": Space.SHARED,
    "local": Space.LOCAL,
    "const": Space.CONST,
    "param": Space.PARAM,
    "param::entry": Space.PARAM,
    "param::func": Space.PARAM,
}
"""State spaces by their names in opcodes; an opcode without a name uses the generic space."""

MAX_ACCESS = 16
"""Most bytes that one lane can load or store at once."""

_RELEASING = {"release", "acq_rel"}
_STRONG = {"relaxed", "acquire", "release", "acq_rel", "mmio"}
_BLOCK_SCOPE = "cta"
_SCOPES = {"gpu", "sys", "cluster"}
_CACHING = {
    *("nc", "weak", "ca", "cg", "cs", "cv", "lu", "wb", "wt", "unified"),
    *("L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::no_allocate"),
    *("L2::64B", "L2::128B", "L2::256B", "L2::cache_hint"),
}
_VECTORS = {"v2": 2, "v4": 4}
_ADDRESS_BITS = {32, 64}
_ATOMICS = {
    "add": Atomic.ADD,
    "min": Atomic.MIN,
    "max": Atomic.MAX,
    "and": Atomic.AND,
    "or": Atomic.OR,
    "xor": Atomic.XOR,
    "exch": Atomic.EXCHANGE,
    "cas": Atomic.COMPARE_AND_SWAP,
    "inc": Atomic.INCREMENT,
    "dec": Atomic.DECREMENT,
}


def _address(asm: Assembler, text: str, space: Space) -> Fields:
    """The fields of an address: base row, offset and the base's width."""
    base, offset = split_address(text)
    if base and asm.is_register(base):
        row, declared = asm.register(base)
        if declared.bits not in _ADDRESS_BITS:
            raise UnsupportedError(text, code="unsupported-address")
        return {"a": row, "imm": offset, "address_bits": declared.bits, "space": space}
    if base in asm.local_offsets:
        return {
            "a": ROW_LOCAL,
            "imm": asm.local_offsets[base] + offset,
            "address_bits": 64,
            "space": Space.LOCAL,
        }
    if base and base not in asm.addresses:
        raise UnsupportedError(text, code="unsupported-address")
    start = asm.addresses[base] if base else 0
    return {"a": asm.constants.number(start, 8), "imm": offset, "address_bits": 64, "space": space}


def _modifiers(ins: Instruction, known: set[str]) -> tuple[Space, int, int]:
    """Space, number of elements and flags of a load or store."""
    space, count, flags = Space.GENERIC, 1, 0
    for part in ins.opcode[1:-1]:
        if part in SPACES:
            space = SPACES[part]
        elif part in _VECTORS:
            count = _VECTORS[part]
        elif part == "volatile":
            flags |= Flag.VOLATILE
        elif part in _STRONG:
            flags |= Flag.RELAXED
        elif part == _BLOCK_SCOPE:
            flags |= Flag.BLOCK_SCOPE
        elif part not in known:
            raise UnsupportedError(ins.text)
    return space, count, flags


def _kernel_parameter(asm: Assembler, ins: Instruction, type_: PtxType) -> bool:
    """Read a kernel's scalar parameter as a launch constant. Returns: whether ``ins`` does that."""
    base, offset = split_address(ins.operands[1])
    if not asm.function.is_kernel or base not in asm.param_offsets or ins.operands[0].startswith("{"):
        return False
    cell = max(type_.bytes, 2)
    row = asm.constants.parameter(asm.param_offsets[base] + offset, type_.bytes, cell, signed=type_.is_signed)
    into = asm.destination(ins.operands[0], type_)
    asm.emit(f"mov.i{8 * cell}", into, row)
    asm.settle(ins.operands[0], type_, into)
    return True


def _load(asm: Assembler, ins: Instruction) -> None:
    type_ = type_of(ins)
    space, count, flags = _modifiers(ins, _CACHING | _SCOPES)
    if space is Space.PARAM and _kernel_parameter(asm, ins, type_):
        return
    targets = vector_elements(ins.operands[0])
    if len(targets) != count:
        raise UnsupportedError(ins.text)
    rows = [asm.destination(text, type_) for text in targets]
    fields = _address(asm, ins.operands[1], space) | _shape(asm, Op.LOAD, type_, rows, flags)
    fields["d"] = rows[0]
    asm.emit_fields(fields)
    for text, row in zip(targets, rows, strict=True):
        asm.settle(text, type_, row)


def _store(asm: Assembler, ins: Instruction) -> None:
    type_ = type_of(ins)
    space, count, flags = _modifiers(ins, _CACHING | _SCOPES)
    sources = vector_elements(ins.operands[1])
    if len(sources) != count:
        raise UnsupportedError(ins.text)
    _release(asm, ins)
    rows = [asm.source(text, type_) for text in sources]
    fields = _address(asm, ins.operands[0], space) | _shape(asm, Op.STORE, type_, rows, flags)
    fields["b"] = rows[0]
    asm.emit_fields(fields)


def load_at(asm: Assembler, address: int, space: Space, type_: PtxType, bits: int) -> int:
    """Load the values at the ``bits``-bit addresses in a row into a temporary row."""
    row = asm.temporary(type_.cell)
    where = {"a": address, "imm": 0, "address_bits": bits, "space": int(space), "d": row}
    asm.emit_fields(where | _shape(asm, Op.LOAD, type_, [row], 0))
    return row


def store_at(asm: Assembler, address: int, space: Space, type_: PtxType, row: int, bits: int) -> None:
    """Store the values in ``row`` at the ``bits``-bit addresses in another row."""
    where = {"a": address, "imm": 0, "address_bits": bits, "space": int(space), "b": row}
    asm.emit_fields(where | _shape(asm, Op.STORE, type_, [row], 0))


def load_variable(asm: Assembler, name: str, type_: PtxType) -> int:
    """Load the value of a call's parameter variable into a temporary row."""
    row = asm.temporary(type_.cell)
    asm.emit_fields(
        _address(asm, f"[{name}]", Space.PARAM) | _shape(asm, Op.LOAD, type_, [row], 0) | {"d": row}
    )
    return row


def store_variable(asm: Assembler, name: str, type_: PtxType, row: int) -> None:
    """Store ``row`` in a parameter variable of a call."""
    asm.emit_fields(
        _address(asm, f"[{name}]", Space.PARAM) | _shape(asm, Op.STORE, type_, [row], 0) | {"b": row}
    )


def _shape(asm: Assembler, op: Op, type_: PtxType, rows: list[int], flags: int) -> Fields:
    if type_.kind == "p" or len(rows) * type_.bytes > MAX_ACCESS:
        raise UnsupportedError(type_.name, code="unsupported-operand")
    fields = {
        "op": int(op),
        "width": type_.bytes,
        "count": len(rows),
        "cell": max(type_.bytes, 2),
        "signed": int(type_.is_signed),
        "flags": flags,
    }
    if len(rows) > 1:
        fields["target"] = len(asm.operand_list)
        asm.operand_list.extend(rows)
    return fields


def _atomic(asm: Assembler, ins: Instruction) -> None:
    """``atom`` and ``red``: the latter has no destination."""
    is_pair = ins.opcode[-1] == "f16x2"
    type_ = TYPES["b32"] if is_pair else type_of(ins)
    returns = ins.opcode[0] == "atom"
    names = [part for part in ins.opcode[1:-1] if part in _ATOMICS]
    if len(names) != 1:
        raise UnsupportedError(ins.text)
    space, count, flags = _modifiers(ins, _SCOPES | _STRONG | {names[0], "noftz", "L2::cache_hint"})
    function = _ATOMICS[names[0]]
    is_half = is_pair or type_.name == "f16"
    if is_half or type_.is_float:
        if function is not Atomic.ADD:
            raise UnsupportedError(ins.text)
        function = Atomic.ADD_HALF if is_half else Atomic.ADD_FLOAT
    elif type_.bits not in {32, 64} and ins.opcode[-2:] != ("cas", "b16"):
        raise UnsupportedError(ins.text)
    _release(asm, ins)
    if count != 1:
        raise UnsupportedError(ins.text)
    operands = ins.operands if returns else ("_", *ins.operands)
    rows = [asm.source(text, type_) for text in operands[2:]]
    row = asm.destination(operands[0], type_) if operands[0] != "_" else -1
    asm.emit_fields(
        _address(asm, operands[1], space)
        | {
            "op": int(Op.ATOMIC),
            "d": row,
            "b": rows[0],
            "c": rows[-1],
            "width": type_.bytes,
            "count": 1,
            "cell": type_.bytes,
            "signed": int(type_.is_signed),
            "flags": int(Flag.ATOMIC) | flags & int(Flag.BLOCK_SCOPE),
            "function": int(function),
        }
    )
    asm.settle(operands[0], type_, row)


def _release(asm: Assembler, ins: Instruction) -> None:
    """Emit the fence that precedes an instruction with release semantics."""
    if _RELEASING & set(ins.opcode):
        _emit_fence(asm, ins)


def _fence(asm: Assembler, ins: Instruction) -> None:
    if set(ins.opcode[1:]) - {"cta", "gl", "sys", "gpu", "cluster", "sc", "acq_rel", "acquire", "release"}:
        raise UnsupportedError(ins.text)
    _emit_fence(asm, ins)


def _emit_fence(asm: Assembler, ins: Instruction) -> None:
    """Emit a fence of the scope that the instruction names, or of the device."""
    flags = Flag.BLOCK_SCOPE if _BLOCK_SCOPE in ins.opcode else 0
    asm.emit_fields({"op": int(Op.FENCE), "flags": int(flags)})


def _is_space(asm: Assembler, ins: Instruction) -> None:
    """``isspacep``: whether a generic address lies in a state space."""
    bounds = {
        "global": (0, SHARED_ORIGIN),
        "const": (0, 0),
        "shared": (SHARED_ORIGIN, LOCAL_ORIGIN),
        "local": (LOCAL_ORIGIN, 1 << 63),
    }
    if ins.opcode[1] not in bounds:
        raise UnsupportedError(ins.text)
    low, high = bounds[ins.opcode[1]]
    address = asm.source(ins.operands[1], TYPES["b64"])
    cell = TYPES["pred"].cell
    above, below = asm.temporary(cell), asm.temporary(cell)
    asm.emit("set.ule.i64", above, asm.constants.number(low, 8), address)
    asm.emit("set.ult.i64", below, address, asm.constants.number(high, 8))
    asm.emit("and.p", asm.destination(ins.operands[0], TYPES["pred"]), above, below)


def _prefetch(_asm: Assembler, _ins: Instruction) -> None:
    """Emit nothing: a cache hint has no effect on results."""


MEMORY: dict[str, Handler] = {
    "ld": _load,
    "ldu": _load,
    "st": _store,
    "atom": _atomic,
    "red": _atomic,
    "membar": _fence,
    "fence": _fence,
    "isspacep": _is_space,
    "prefetch": _prefetch,
    "prefetchu": _prefetch,
}
"""Decoders by the base of the opcode."""
