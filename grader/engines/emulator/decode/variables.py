"""Place the variables of a program: module variables in windows, shared ones in a row, others in frames."""

from collections.abc import Sequence

from grader.engines.emulator.core.addresses import WINDOW_BITS
from grader.engines.emulator.decode.program import SHARED_GAP, SharedArray, UnsupportedError
from grader.engines.emulator.ptx.parser import type_bytes
from grader.engines.emulator.ptx.syntax import Function, Module, Variable, symbols_in

VARIABLE_WINDOW = 512
"""The window of a module's first global or constant variable; the others follow in order."""

MAX_VARIABLES = 500
"""Most global and constant variables of a module."""

PARAMETER_WINDOW = 511
"""The window of a kernel's parameters."""

MAX_SHARED_ARRAYS = 255
"""Most shared variables of a program; each has a distinct one-byte number."""


def window_origin(number: int) -> int:
    """The virtual address of a window's contents: its middle, so that stray indices of either sign stay inside."""
    return (number << WINDOW_BITS) + (1 << (WINDOW_BITS - 1))


def module_variables(module: Module) -> list[Variable]:
    """The variables in global or constant memory that some function can reach, in the order of their windows.

    Unreachable ones are left out: headers declare hundreds of them.
    """
    addressed = {v.name: v for v in module.variables.values() if v.space in {"global", "const"}}
    if not addressed:
        return []
    waiting = set(addressed) & module.symbols
    reached: set[str] = set()
    while waiting:
        name = waiting.pop()
        reached.add(name)
        words = (word for text in addressed[name].initial for word in symbols_in(text))
        waiting |= {word for word in words if word in addressed} - reached
    return [variable for name, variable in addressed.items() if name in reached]


def named_addresses(module: Module, kernel: str, shared: Sequence[SharedArray]) -> dict[str, int]:
    """The address of every variable that all functions of ``kernel``'s program share.

    Raises: ``UnsupportedError`` if there are more variables than windows.
    """
    variables = module_variables(module)
    if len(variables) > MAX_VARIABLES:
        raise UnsupportedError(kernel, code="too-many-variables", most=MAX_VARIABLES)
    addresses = {each.name: window_origin(VARIABLE_WINDOW + i) for i, each in enumerate(variables)}
    return addresses | {array.name: array.offset for array in shared}


def lay_out_shared(module: Module, functions: Sequence[Function]) -> tuple[tuple[SharedArray, ...], int]:
    """Place every shared variable that ``functions`` (kernel first) use; dynamic ones follow all others.

    Returns: the arrays, and the bytes that the static ones take on a device. Raises: ``UnsupportedError``.
    """
    mentioned = {
        word
        for function in functions
        for ins in function.body
        for operand in ins.operands
        if not operand.startswith("%")
        for word in symbols_in(operand)
    }
    variables = [v for f in functions for v in f.variables.values() if v.space == "shared"]
    variables += [v for v in module.variables.values() if v.space == "shared" and v.name in mentioned]
    if len(variables) > MAX_SHARED_ARRAYS:
        raise UnsupportedError(functions[0].name, code="too-many-shared-arrays", most=MAX_SHARED_ARRAYS)
    arrays, real, emulated = [], 0, 0
    for variable in sorted(variables, key=lambda v: v.count is None):
        align = max(variable.align, 1)
        padding = -real % align
        real, emulated = real + padding, emulated + padding
        size = None if variable.count is None else variable.count * type_bytes(variable.type)
        arrays.append(SharedArray(variable.name, emulated, size))
        if size is not None:
            real, emulated = real + size, emulated + size + SHARED_GAP
    return tuple(arrays), real


def lay_out(variables: tuple[Variable, ...], offsets: dict[str, int], top: int) -> int:
    """Assign each variable the next aligned offset. Returns: the offset behind the last."""
    for variable in variables:
        align = max(variable.align, 1)
        top = -(-top // align) * align
        offsets[variable.name] = top
        top += (variable.count or 0) * type_bytes(variable.type)
    return top
