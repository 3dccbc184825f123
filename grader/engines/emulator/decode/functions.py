"""Functions as values: their addresses, and which ones are called directly or possibly through a pointer."""

import re
from dataclasses import dataclass

from grader.engines.emulator.core.addresses import FUNCTION_ORIGIN, FUNCTION_STEP
from grader.engines.emulator.decode.program import Service, UnsupportedError
from grader.engines.emulator.ptx.parser import type_bytes
from grader.engines.emulator.ptx.syntax import Function, Instruction, Location, Module, Variable

RUNTIME_CALLS = {
    service.value: service for service in (Service.PRINT, Service.ASSERT, Service.MALLOC, Service.FREE)
}
"""Functions of the device runtime that the emulator implements as services."""

GRID_FUNCTIONS = frozenset({"cudaCGGetIntrinsicHandle", "cudaCGSynchronize"})
"""Functions of the device runtime through which Numba waits for the whole grid."""

_SYMBOL = re.compile(r"[A-Za-z_$][\w$]*")

Signature = tuple[tuple[int, ...], tuple[int, ...]]
"""Bytes of each result and of each parameter."""


@dataclass(frozen=True, slots=True)
class Call:
    """The parts of a ``call``. ``prototype`` names what an indirect call expects and is empty for a direct one."""

    target: str
    returns: tuple[str, ...]
    arguments: tuple[str, ...]
    prototype: str


def call_of(ins: Instruction) -> Call:
    """Parse ``call (results), target, (arguments), prototype;``. Raises: ``UnsupportedError``."""
    operands = list(ins.operands)
    returns = _names(operands.pop(0)) if operands and operands[0].startswith("(") else ()
    if not operands:
        raise UnsupportedError(ins.text)
    target = operands.pop(0)
    arguments = _names(operands.pop(0)) if operands and operands[0].startswith("(") else ()
    return Call(target, returns, arguments, operands[0] if operands else "")


def _names(group: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in group.strip("()").split(",") if part.strip())


def function_addresses(module: Module) -> dict[str, int]:
    """The address of every device function that has a body, in the order of the module."""
    names = [function.name for function in module.functions.values() if _can_be_called(function)]
    return {name: FUNCTION_ORIGIN + FUNCTION_STEP * index for index, name in enumerate(names)}


def _can_be_called(function: Function) -> bool:
    return function.has_body and not function.is_kernel


def signature(returns: tuple[Variable, ...], params: tuple[Variable, ...]) -> Signature:
    """The sizes that a function must have to match an indirect call."""
    return _sizes(returns), _sizes(params)


def _sizes(variables: tuple[Variable, ...]) -> tuple[int, ...]:
    return tuple((variable.count or 0) * type_bytes(variable.type) for variable in variables)


def reachable(module: Module, kernel: Function) -> list[Function]:
    """The kernel, first, and every function it may call, directly or through a pointer.

    Raises: ``UnsupportedError`` for a call of a function that has no body.
    """
    order: list[Function] = []
    waiting, seen = [kernel], {kernel.name}
    while waiting:
        function = waiting.pop()
        order.append(function)
        for name, location in _callees(module, function):
            if name in seen or name in RUNTIME_CALLS or name in GRID_FUNCTIONS:
                continue
            callee = module.functions.get(name)
            if callee is None or not callee.has_body:
                raise UnsupportedError(name, location, code="unsupported-call")
            seen.add(name)
            waiting.append(callee)
    return order


def _callees(module: Module, function: Function) -> list[tuple[str, Location | None]]:
    """The functions that ``function`` calls, or may call because it refers to their address."""
    found: list[tuple[str, Location | None]] = []
    for ins in function.body:
        if ins.opcode[0] != "call":
            found += [(name, ins.location) for name in _mentioned(module, ins.operands)]
            continue
        call = call_of(ins)
        if call.prototype:
            tables = [name for v in module.variables.values() for name in _mentioned(module, v.initial)]
            found += [(name, ins.location) for name in tables]
        else:
            found.append((call.target, ins.location))
    return found


def _mentioned(module: Module, texts: tuple[str, ...]) -> list[str]:
    words = (word for text in texts for word in _SYMBOL.findall(text))
    return [word for word in words if word in module.functions and _can_be_called(module.functions[word])]
