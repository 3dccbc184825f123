"""Decode branches, calls, returns, barriers, warp-level operations and calls of the device runtime."""

from collections.abc import Callable

from grader.engines.emulator.core.barriers import Reduction
from grader.engines.emulator.core.codes import Op
from grader.engines.emulator.core.collectives import Match, Shuffle, Vote
from grader.engines.emulator.decode.arithmetic import Handler
from grader.engines.emulator.decode.assembler import Assembler
from grader.engines.emulator.decode.functions import RUNTIME_CALLS, Call, call_of
from grader.engines.emulator.decode.memory import load_variable, store_variable
from grader.engines.emulator.decode.program import Row, Service, ServiceCall, UnsupportedError
from grader.engines.emulator.decode.types import TYPES, PtxType
from grader.engines.emulator.ptx.syntax import Instruction

_WORD, _PRED = TYPES["b32"], TYPES["pred"]
_SHUFFLES = {"up": Shuffle.UP, "down": Shuffle.DOWN, "bfly": Shuffle.XOR, "idx": Shuffle.INDEX}
_VOTES = {"all": Vote.ALL, "any": Vote.ANY, "uni": Vote.UNIFORM, "ballot": Vote.BALLOT}
_MATCHES = {"any": Match.ANY, "all": Match.ALL}
_REDUCTIONS = {"popc": Reduction.COUNT, "and": Reduction.AND, "or": Reduction.OR}
_GRID_HANDLE = 1
_RUNTIME_ARGUMENTS = {Service.PRINT: 2, Service.ASSERT: 5, Service.MALLOC: 1, Service.FREE: 1}


def _bra(asm: Assembler, ins: Instruction) -> None:
    asm.emit_fields({"op": int(Op.BRANCH)}, label=ins.operands[0])


def _brx(asm: Assembler, ins: Instruction) -> None:
    labels = asm.function.tables.get(ins.operands[1])
    if labels is None:
        raise UnsupportedError(ins.text)
    fields = {
        "op": int(Op.BRANCH_INDEXED),
        "a": asm.source(ins.operands[0], _WORD),
        "target": len(asm.operand_list),
        "count": len(labels),
    }
    asm.operand_list.extend([0] * len(labels))
    asm.emit_fields(fields, label=ins.operands[1])


def _grid_handle(asm: Assembler, call: Call) -> None:
    """Return any handle but null: there is only one grid."""
    for name in call.returns:
        store_variable(asm, name, TYPES["b64"], asm.constants.number(_GRID_HANDLE, 8))


def _grid_barrier(asm: Assembler, call: Call) -> None:
    """Emit Numba's grid barrier. The result is 0, for success.

    CUDA C uses atomics on a workspace instead; see ``decode.moving``.
    """
    asm.emit_fields({"op": int(Op.GRID_BARRIER)})
    for name in call.returns:
        store_variable(asm, name, TYPES["b32"], asm.constants.number(0, 4))


_GRID_CALLS: dict[str, Callable[[Assembler, Call], None]] = {
    "cudaCGGetIntrinsicHandle": _grid_handle,
    "cudaCGSynchronize": _grid_barrier,
}
"""Decoders of ``functions.GRID_FUNCTIONS``."""


def _call_runtime(asm: Assembler, service: Service, call: Call) -> None:
    """Pass the values of a call's argument variables to ``service``, and its result to the result variable.

    Raises: ``UnsupportedError`` if the number of arguments does not match the runtime function.
    """
    if len(call.arguments) != _RUNTIME_ARGUMENTS[service]:
        raise UnsupportedError(service.value, code="unsupported-call")
    sources = []
    for name in call.arguments:
        type_ = _type_of(asm, name)
        sources.append(Row(load_variable(asm, name, type_), type_.bytes))
    results = [(name, _type_of(asm, name)) for name in call.returns]
    targets = [Row(asm.temporary(type_.cell), type_.bytes) for _, type_ in results]
    asm.emit_service(ServiceCall(service, tuple(sources), tuple(targets)))
    for (name, type_), row in zip(results, targets, strict=True):
        store_variable(asm, name, type_, row.offset)


def _type_of(asm: Assembler, name: str) -> PtxType:
    variable = asm.function.variables.get(name)
    if variable is None or variable.type not in TYPES or variable.count != 1:
        raise UnsupportedError(name, code="unsupported-operand")
    return TYPES[variable.type]


def _call(asm: Assembler, ins: Instruction) -> None:
    """Emit a jump with a new frame. Arguments are already at the callee's offsets; see ``decode.linker``."""
    call = call_of(ins)
    if call.target in _GRID_CALLS:
        _GRID_CALLS[call.target](asm, call)
    elif call.target in RUNTIME_CALLS:
        _call_runtime(asm, RUNTIME_CALLS[call.target], call)
    elif not call.prototype:
        asm.emit_fields({"op": int(Op.CALL)}, callee=call.target)
    else:
        address = asm.source(call.target, TYPES["b64"])
        asm.emit_fields({"op": int(Op.CALL_INDIRECT), "a": address}, prototype=call.prototype)


def _ret(asm: Assembler, _ins: Instruction) -> None:
    asm.emit_fields({"op": int(Op.EXIT if asm.function.is_kernel else Op.RETURN)})


def _exit(asm: Assembler, _ins: Instruction) -> None:
    asm.emit_fields({"op": int(Op.EXIT)})


def _trap(asm: Assembler, _ins: Instruction) -> None:
    asm.emit_fields({"op": int(Op.TRAP)})


def _barrier(asm: Assembler, ins: Instruction) -> None:
    """``bar`` and ``barrier``: ``.sync``, ``.arrive``, ``.red`` and ``.warp.sync``."""
    parts = [part for part in ins.opcode[1:] if part not in {"cta", "aligned"}]
    if parts == ["warp", "sync"]:
        member = _member(asm, ins.operands[0])
        asm.emit_fields({"op": int(Op.WARP_BARRIER), "target": member})
        return
    zero = asm.constants.number(0, 4)
    if parts in (["sync"], ["arrive"]):
        rows = [asm.source(text, _WORD) for text in ins.operands]
        op = Op.BARRIER if parts == ["sync"] else Op.BARRIER_ARRIVE
        asm.emit_fields(
            {"op": int(op), "a": rows[0] if rows else zero, "b": rows[1] if len(rows) > 1 else zero}
        )
        return
    if len(parts) == 3 and parts[0] == "red" and parts[1] in _REDUCTIONS:
        result = _WORD if parts[1] == "popc" else _PRED
        middle = ins.operands[1:-1]
        asm.emit_fields(
            {
                "op": int(Op.BARRIER),
                "d": asm.destination(ins.operands[0], result),
                "a": asm.source(middle[0], _WORD),
                "b": asm.source(middle[1], _WORD) if len(middle) > 1 else zero,
                "c": asm.predicate(ins.operands[-1]),
                "function": int(_REDUCTIONS[parts[1]]),
            }
        )
        return
    raise UnsupportedError(ins.text)


def _member(asm: Assembler, text: str) -> int:
    return asm.source(text, _WORD)


def _mode(ins: Instruction) -> str:
    """The modifier beside ``.sync``: ptxas takes ``vote.ballot.sync`` for ``vote.sync.ballot``, and CUB writes it."""
    modifiers = ins.opcode[1:-1]
    if len(modifiers) != 2 or "sync" not in modifiers:
        raise UnsupportedError(ins.text)
    return modifiers[1] if modifiers[0] == "sync" else modifiers[0]


def _shfl(asm: Assembler, ins: Instruction) -> None:
    mode = _SHUFFLES.get(_mode(ins))
    if mode is None:
        raise UnsupportedError(ins.text)
    target, _, predicate = ins.operands[0].partition("|")
    rows = [asm.source(text, _WORD) for text in ins.operands[1:4]]
    member = _member(asm, ins.operands[4])
    into = asm.destination(target.strip(), _WORD)
    reached = asm.destination(predicate.strip(), _PRED) if predicate else -1
    asm.emit_fields(
        {
            "op": int(Op.SHUFFLE),
            "d": into,
            "a": rows[0],
            "b": rows[1],
            "c": rows[2],
            "target": member,
            "imm": reached,
            "function": int(mode),
        }
    )
    asm.settle(target.strip(), _WORD, into)


def _vote(asm: Assembler, ins: Instruction) -> None:
    function = _VOTES.get(_mode(ins))
    if function is None:
        raise UnsupportedError(ins.text)
    result = _WORD if function is Vote.BALLOT else _PRED
    source, member = asm.predicate(ins.operands[1]), _member(asm, ins.operands[2])
    into = asm.destination(ins.operands[0], result)
    asm.emit_fields({"op": int(Op.VOTE), "d": into, "a": source, "target": member, "function": int(function)})
    asm.settle(ins.operands[0], result, into)


def _match(asm: Assembler, ins: Instruction) -> None:
    type_ = TYPES.get(ins.opcode[-1])
    mode = _MATCHES.get(_mode(ins))
    if type_ is None or type_.name not in {"b32", "b64"} or mode is None:
        raise UnsupportedError(ins.text)
    target, _, predicate = ins.operands[0].partition("|")
    source, member = asm.source(ins.operands[1], type_), _member(asm, ins.operands[2])
    into = asm.destination(target.strip(), _WORD)
    asm.emit_fields(
        {
            "op": int(Op.MATCH),
            "d": into,
            "a": source,
            "target": member,
            "imm": asm.destination(predicate.strip(), _PRED) if predicate else -1,
            "width": type_.bytes,
            "function": int(mode),
        }
    )
    asm.settle(target.strip(), _WORD, into)


def _active_mask(asm: Assembler, ins: Instruction) -> None:
    into = asm.destination(ins.operands[0], _WORD)
    asm.emit_fields({"op": int(Op.ACTIVE_MASK), "d": into})
    asm.settle(ins.operands[0], _WORD, into)


def _nothing(_asm: Assembler, _ins: Instruction) -> None:
    """Emit nothing: ``nanosleep`` only passes time."""


CONTROL: dict[str, Handler] = {
    "bra": _bra,
    "brx": _brx,
    "call": _call,
    "ret": _ret,
    "exit": _exit,
    "trap": _trap,
    "brkpt": _trap,
    "bar": _barrier,
    "barrier": _barrier,
    "shfl": _shfl,
    "vote": _vote,
    "match": _match,
    "activemask": _active_mask,
    "nanosleep": _nothing,
}
"""Decoders by the base of the opcode."""
