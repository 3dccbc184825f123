"""Decode ``setp``, ``set``, ``selp`` and ``slct``."""

from grader.engines.emulator.decode.arithmetic import Handler, only, type_of
from grader.engines.emulator.decode.assembler import Assembler, float_bits
from grader.engines.emulator.decode.halves import join_halves, split_halves, widen
from grader.engines.emulator.decode.program import UnsupportedError
from grader.engines.emulator.decode.types import TYPES, PtxType
from grader.engines.emulator.isa.cells import Cell
from grader.engines.emulator.ptx.syntax import Instruction

_SWAPPED = {"gt": "lt", "ge": "le", "gtu": "ltu", "geu": "leu"}
_UNSIGNED = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
_INTEGER = {"eq", "ne", "lt", "le"}
_FLOAT = _INTEGER | {"equ", "neu", "ltu", "leu", "num", "nan"}
_COMBINE = {"and", "or", "xor"}
_PRED, _WORD, _HALF = TYPES["pred"], TYPES["b32"], TYPES["f16"]
_PAIR = "f16x2"


def _compare(asm: Assembler, ins: Instruction, comparison: str, type_: PtxType) -> int:
    """Compare operands 1 and 2. Returns: a row with the outcome."""
    a, b = (asm.source(text, type_) for text in ins.operands[1:3])
    return _outcome(asm, ins, comparison, type_, a, b)


def _compare_pairs(asm: Assembler, ins: Instruction, comparison: str) -> list[int]:
    """Compare operands 1 and 2, pairs of halves. Returns: a row with the low and one with the high outcomes."""
    a, b = (split_halves(asm, asm.source(text, _WORD)) for text in ins.operands[1:3])
    return [_outcome(asm, ins, comparison, _HALF, x, y) for x, y in zip(a, b, strict=True)]


def _outcome(asm: Assembler, ins: Instruction, comparison: str, type_: PtxType, a: int, b: int) -> int:
    unsigned = not type_.is_signed
    if comparison in _UNSIGNED and not type_.is_float:
        comparison, unsigned = _UNSIGNED[comparison], True
    if comparison in _SWAPPED:
        comparison, a, b = _SWAPPED[comparison], b, a
    if comparison not in (_FLOAT if type_.is_float else _INTEGER):
        raise UnsupportedError(ins.text)
    if "ftz" in ins.opcode:
        a, b = _flushed(asm, a, type_), _flushed(asm, b, type_)
    outcome = asm.temporary(Cell.P)
    if type_ is _HALF:
        asm.emit(f"set.{comparison}.f32", outcome, widen(asm, a), widen(asm, b))
    elif type_.is_float:
        asm.emit(f"set.{comparison}.{type_.token}", outcome, a, b)
    else:
        letter = ("u" if unsigned else "s") if comparison in {"lt", "le"} else ""
        asm.emit(f"set.{letter}{comparison}.{type_.integer.token}", outcome, a, b)
    return outcome


def _flushed(asm: Assembler, row: int, type_: PtxType) -> int:
    flushed = asm.temporary(type_.cell)
    asm.emit(f"ftz.{type_.token}", flushed, row)
    return flushed


def _parts(ins: Instruction, types: int) -> tuple[str, str | None]:
    """The comparison and the operation that combines it with a predicate, if any."""
    middle = [part for part in ins.opcode[1:-types] if part != "ftz"]
    if not middle or len(middle) > 2 or (len(middle) == 2 and middle[1] not in _COMBINE):
        raise UnsupportedError(ins.text)
    return middle[0], middle[1] if len(middle) == 2 else None


def _setp(asm: Assembler, ins: Instruction) -> None:
    """``setp``; a second predicate gets the negated outcome or, for a pair of halves, the high outcome."""
    comparison, combine = _parts(ins, 1)
    targets = ins.operands[0].split("|")
    if ins.opcode[-1] == _PAIR:
        results = _compare_pairs(asm, ins, comparison)
    else:
        results = [_compare(asm, ins, comparison, type_of(ins))]
        if len(targets) > 1:
            results.append(asm.temporary(Cell.P))
            asm.emit("not.p", results[1], results[0])
    given = asm.predicate(ins.operands[3]) if combine else None
    if given is not None:
        for result in results:
            asm.emit(f"{combine}.p", result, result, given)
    for target, result in zip(targets, results, strict=True):
        asm.emit("mov.p", asm.destination(target.strip(), _PRED), result)


def _plain_setp(asm: Assembler, ins: Instruction) -> None:
    """``setp``; in the common form the comparison writes the predicate directly."""
    before = len(asm.emitted)
    _setp(asm, ins)
    last, previous = asm.emitted[-1], asm.emitted[-2] if len(asm.emitted) - before > 1 else None
    if previous is not None and "|" not in ins.operands[0] and len(ins.operands) == 3:
        previous.fields["d"] = last.fields["d"]
        asm.emitted.pop()


def _set(asm: Assembler, ins: Instruction) -> None:
    """``set.lt.u32.f32``: all ones, or 1.0, where the comparison holds; a pair of halves gives two such results."""
    if ins.opcode[-1] == _PAIR:
        _set_pair(asm, ins)
        return
    result, source = TYPES.get(ins.opcode[-2]), type_of(ins)
    if result is None:
        raise UnsupportedError(ins.text)
    comparison, combine = _parts(ins, 2)
    outcome = _compare(asm, ins, comparison, source)
    if combine:
        asm.emit(f"{combine}.p", outcome, outcome, asm.predicate(ins.operands[3]))
    target = asm.destination(ins.operands[0], result)
    _choose(asm, target, result, outcome)
    asm.settle(ins.operands[0], result, target)


def _set_pair(asm: Assembler, ins: Instruction) -> None:
    result = {_PAIR: _HALF, "u32": TYPES["u16"], "s32": TYPES["s16"]}.get(ins.opcode[-2])
    if result is None:
        raise UnsupportedError(ins.text)
    comparison, combine = _parts(ins, 2)
    given = asm.predicate(ins.operands[3]) if combine else None
    rows = []
    for outcome in _compare_pairs(asm, ins, comparison):
        if given is not None:
            asm.emit(f"{combine}.p", outcome, outcome, given)
        rows.append(asm.temporary(Cell.I16))
        _choose(asm, rows[-1], result, outcome)
    target = asm.destination(ins.operands[0], _WORD)
    join_halves(asm, target, *rows)
    asm.settle(ins.operands[0], _WORD, target)


def _choose(asm: Assembler, target: int, result: PtxType, outcome: int) -> None:
    """Write the result of ``set`` for an outcome."""
    yes = asm.constants.number(float_bits(1.0, result) if result.is_float else -1, result.bytes)
    no = asm.constants.number(0, result.bytes)
    asm.emit(f"selp.{result.integer.token}", target, yes, no, outcome)


def _selp(asm: Assembler, ins: Instruction) -> None:
    only(ins)
    type_ = type_of(ins)
    a, b = (asm.source(text, type_) for text in ins.operands[1:3])
    target = asm.destination(ins.operands[0], type_)
    asm.emit(f"selp.{type_.integer.token}", target, a, b, asm.predicate(ins.operands[3]))
    asm.settle(ins.operands[0], type_, target)


def _slct(asm: Assembler, ins: Instruction) -> None:
    """``slct.b32.s32 d, a, b, c``: a where c is not negative."""
    result, decider = TYPES.get(ins.opcode[-2]), type_of(ins)
    if result is None:
        raise UnsupportedError(ins.text)
    only(ins, "ftz", result.name)
    a, b = (asm.source(text, result) for text in ins.operands[1:3])
    c = asm.source(ins.operands[3], decider)
    if "ftz" in ins.opcode:
        c = _flushed(asm, c, decider)
    outcome = asm.temporary(Cell.P)
    zero = asm.constants.number(0, decider.bytes)
    asm.emit(f"set.le.{decider.token}" if decider.is_float else f"set.sle.{decider.token}", outcome, zero, c)
    target = asm.destination(ins.operands[0], result)
    asm.emit(f"selp.{result.integer.token}", target, a, b, outcome)
    asm.settle(ins.operands[0], result, target)


COMPARING: dict[str, Handler] = {"setp": _plain_setp, "set": _set, "selp": _selp, "slct": _slct}
"""Decoders by the base of the opcode."""
