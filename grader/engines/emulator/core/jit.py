"""The one way this room compiles: cached on disk, without the GIL, with C semantics for division and overflow."""

from collections.abc import Callable
from typing import Any, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile ``function`` with Numba as a part of the interpreter."""
    result: Function = numba.njit(nogil=True, error_model="numpy")(function)
    return result


def compiled_apart(function: Function) -> Function:
    """The same, for rare paths: never inlined into its callers."""
    result: Function = numba.njit(nogil=True, error_model="numpy", forceinline=False)(function)
    return result


def entry(function: Function) -> Function:
    """Compile ``function`` as an entry point: its machine code, with all it calls, is kept on disk."""
    result: Function = numba.njit(nogil=True, error_model="numpy", cache=True)(function)
    return result
