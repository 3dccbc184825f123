"""The decorators that compile a function: ``@cuda.jit`` in all its spellings, ``@njit`` and ``@jit``."""

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from grader.compile.python import libraries
from grader.compile.python.values import Function, Jit, JitTarget, NotConstantError
from grader.model.location import SourceLocation
from grader.model.reason import reason

if TYPE_CHECKING:
    from grader.compile.python.constants import Names

_KEPT = frozenset({"device", "fastmath", "forceinline", "inline", "launch_bounds", "max_registers", "opt"})
"""Options that change the code. The others concern launches, caches and debuggers."""

_FOREIGN_CODE = frozenset({"extensions", "link"})
_SIGNATURE = frozenset({"argtypes", "func_or_sig", "signature", "signature_or_function"})


def is_jit(value: object) -> bool:
    """Whether ``value`` is a decorator of Numba without its arguments."""
    return value is libraries.CUDA_JIT or any(value is jit for jit in libraries.CPU_JITS)


def bare(value: object) -> Jit:
    """The decorator that ``value`` is: ``cuda.jit`` itself, or one with arguments. Raises: ``TypeError``."""
    if isinstance(value, Jit):
        return value
    if not is_jit(value):
        raise TypeError
    return Jit(target=JitTarget.CUDA if value is libraries.CUDA_JIT else JitTarget.CPU)


def called(
    jit: object, node: ast.Call, names: "Names", value: Callable[[ast.expr], object]
) -> Jit | Function:
    """A decorator with its arguments; the compiled function if one argument is a function.

    Raises: ``NotConstantError``.
    """
    options: dict[str, object] = {}
    first = list(node.args[:1])
    for option in node.keywords:
        if option.arg in _SIGNATURE:
            first.append(option.value)
        elif option.arg in _FOREIGN_CODE and not _is_empty(option.value):
            location = SourceLocation(file=names.file, line=option.value.lineno)
            raise NotConstantError(reason("python-foreign-code", location=location, option=option.arg))
        elif option.arg is None or option.arg in _KEPT:
            options |= _options(option, value)
    target = bare(jit).target
    given = [value(argument) for argument in first]
    functions = [argument for argument in given if isinstance(argument, Function)]
    signatures = tuple(
        signature
        for argument in given
        if not isinstance(argument, Function) and argument is not None
        for signature in (argument if isinstance(argument, list) else [argument])
    )
    made = Jit(target=target, options=options, signatures=signatures)
    return functions[0].decorated(made) if functions else made


def _options(option: ast.keyword, value: Callable[[ast.expr], object]) -> dict[str, object]:
    """The option that is kept, or those of ``**{…}``. Raises: ``NotConstantError``, ``TypeError``."""
    found = value(option.value)
    if not _is_plain(found):
        raise TypeError
    if option.arg is not None:
        return {option.arg: found}
    if not isinstance(found, dict) or _FOREIGN_CODE & found.keys():
        raise TypeError
    return {name: setting for name, setting in found.items() if name in _KEPT}


def _is_plain(value: object) -> bool:
    """Whether an option is a number, a text, or a collection of such: Numba calls an ``inline`` that is a function."""
    if isinstance(value, dict):
        return all(map(_is_plain, (*value, *value.values())))
    if isinstance(value, tuple | list | set):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, bool | int | float | str)


def _is_empty(node: ast.expr) -> bool:
    match node:
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Constant(value=None):
            return True
    return False
