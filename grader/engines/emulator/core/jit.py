"""Compile the interpreter: machine code cached on disk, no GIL, C semantics for division and overflow."""

import ctypes
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from grader.engines.emulator import machine_code
from grader.engines.emulator.arrays import address_of
from grader.engines.emulator.numba_api import record_type, types

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile ``function`` with Numba as a part of the interpreter, callable from other such parts only.

    Integers of every width, and constants, are passed as 64 bits, so that the function is compiled once instead of
    for every combination of its callers' types.
    """
    return _part(function, always_inline=False)


def inlined(function: Function) -> Function:
    """Like ``compiled``, and always inlined: for what runs at every tracked access and calls rarely used functions.

    LLVM does not inline such a function by itself, which makes the diagnosis a tenth slower.
    """
    return _part(function, always_inline=True)


def _part(function: Function, *, always_inline: bool) -> Function:
    if machine_code.PRECOMPILED:
        return function
    import numba  # noqa: PLC0415 - only a process that compiles needs it

    from grader.engines.emulator.core.parts import PartCompiler  # noqa: PLC0415 - only a process that compiles needs it

    dispatcher = numba.njit(
        nogil=True,
        error_model="numpy",
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        pipeline_class=PartCompiler,
        forceinline=always_inline,
    )(function)
    by_types = dispatcher.get_call_template

    def by_kinds(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        return by_types(tuple(_widened(argument) for argument in arguments), keywords)

    dispatcher.get_call_template = by_kinds
    result: Function = dispatcher
    return result


def _widened(argument: Any) -> Any:
    plain = types.unliteral(argument)
    return types.int64 if isinstance(plain, types.Integer) else plain


class EntryPoint:
    """An entry point: the machine code of ``function`` and all it calls is kept on disk and called as a C function.

    It takes one array of records and then numbers (``int`` or ``bool``), and returns an ``int`` or nothing.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._numbers = [kind for name, kind in function.__annotations__.items() if name != "return"][1:]
        self._returns = function.__annotations__["return"] is int

    def __call__(self, records: Any, *numbers: int) -> Any:
        """Call the machine code; compile it first if it is not on disk. Raises: ``RuntimeError`` if it fails."""
        result, problem = ctypes.c_int64(), ctypes.c_void_p()
        native = self._native or self._compile(records)
        # Numba's calling convention: the result, an exception, and an array as seven arguments.
        status = native(
            ctypes.byref(result),
            ctypes.byref(problem),
            None,
            None,
            *map(ctypes.c_int64, (len(records), records.itemsize, address_of(records), len(records))),
            *map(ctypes.c_int64, (records.strides[0], *numbers)),
        )
        if status not in {_OK, _NONE}:
            msg = f"the interpreter's {self._function.__name__} failed with status {status}"
            raise RuntimeError(msg)
        return result.value if self._returns else None

    @cached_property
    def _native(self) -> Callable[..., int] | None:
        return machine_code.load(self._function.__name__)

    def _compile(self, records: Any) -> Callable[..., int]:
        import numba  # noqa: PLC0415 - only a process that compiles needs it

        dispatcher = numba.njit(
            nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
        )(self._function)
        array = types.Array(record_type(records.dtype), 1, "C")
        kinds = {int: types.int64, bool: types.boolean}
        result = dispatcher._compiler.compile((array, *(kinds[kind] for kind in self._numbers)), None)  # noqa: SLF001 - `compile` wants a wrapper for Python
        symbol, code = result.fndesc.llvm_func_name, result.library._get_compiled_object()  # noqa: SLF001 - Numba's own cache reads it so
        machine_code.keep(self._function.__name__, symbol, code)
        self._native = machine_code.loaded(symbol, code)
        return self._native


_OK, _NONE = 0, -2
"""Numba's status codes for a call that returned a value or ``None``."""
