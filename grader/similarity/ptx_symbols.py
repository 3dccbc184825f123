"""The instructions of PTX as symbols: registers by their order, constants, labels and variables by their kind."""

import re
from collections.abc import Iterator

from grader.engines.emulator.ptx.parser import parse
from grader.engines.emulator.ptx.syntax import Function, Instruction
from grader.model.module import PtxModule
from grader.model.similarity import View
from grader.similarity.evaluation_order import REGISTER, in_evaluation_order
from grader.similarity.winnowing import Symbol

_PART = re.compile(
    r"(?P<special>%[a-z]\w*\.[xyzw])|(?P<name>[%$A-Za-z_][\w$.]*)|(?P<number>-?\d[\w.]*)|(?P<other>[^\s,])"
)
_SHORTENED = frozenset({"nc", "volatile", "relaxed", "weak", "uni", "aligned"})
"""Modifiers that depend on a qualifier in the source, not on what is computed."""

_FRACTIONS = frozenset({"f16", "f16x2", "bf16", "bf16x2", "f32", "f64"})
_SYNCHRONIZATION = frozenset(
    {"bar", "barrier", "shfl", "vote", "match", "atom", "red", "membar", "fence", "tex"}
)
_ACCESSES = frozenset({"ld", "st"})
_PRIVATE = frozenset({"param"})
_MOVES = frozenset({"mov", "selp"})


def ptx_symbols(module: PtxModule) -> dict[View, list[tuple[Symbol, ...]]]:
    """The symbols of each function of ``module``, in both views of PTX. Raises: ``PtxError`` if it cannot be read."""
    found: dict[View, list[tuple[Symbol, ...]]] = {View.PTX: [], View.OPERATIONS: []}
    for unit in module.units:
        for function in parse(unit.ptx, module.user_files).functions.values():
            if function.has_body:
                ordered = in_evaluation_order(function)
                found[View.PTX].append(tuple(map(_instruction, ordered)))
                found[View.OPERATIONS].append(tuple(_operations(ordered, function)))
    return found


def _instruction(instruction: Instruction) -> Symbol:
    guard = "" if instruction.guard is None else f"@{'!' * instruction.negated}%"
    operands = ",".join(_shape(operand) for operand in instruction.operands)
    names = [name for operand in instruction.operands for name in REGISTER.findall(operand)]
    return _symbol(instruction, f"{guard}{_opcode(instruction)} {operands}", names)


def _operations(ordered: list[Instruction], function: Function) -> Iterator[Symbol]:
    """The instructions that both compilers write alike, with the registers that hold numbers with a fraction."""
    for instruction in ordered:
        opcode = instruction.opcode
        is_access = opcode[0] in _ACCESSES and not _PRIVATE & set(opcode)
        computes = opcode[0] not in _MOVES | _ACCESSES and bool(_FRACTIONS & set(opcode))
        if is_access or computes or opcode[0] in _SYNCHRONIZATION:
            names = [
                name
                for operand in instruction.operands
                for name in REGISTER.findall(operand)
                if function.register_type(name) in _FRACTIONS
            ]
            yield _symbol(instruction, _opcode(instruction), names)


def _symbol(instruction: Instruction, text: str, names: list[str]) -> Symbol:
    location = instruction.location
    file, line = ("", None) if location is None else (location.file, location.line)
    return Symbol(text, tuple(names), file, line)


def _opcode(instruction: Instruction) -> str:
    return ".".join(part for part in instruction.opcode if part not in _SHORTENED)


def _shape(operand: str) -> str:
    """``operand`` with one mark for each register, constant, and name."""
    return "".join(_mark(part) for part in _PART.finditer(operand))


def _mark(part: re.Match[str]) -> str:
    if part["name"] is not None:
        return "%" if part["name"].startswith("%") else "name"
    return "number" if part["number"] is not None else part[0]
