"""Turn the symbols of compiled code into the names in its source."""

import ctypes
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from grader.errors import UserError

_RUNTIME = "libstdc++.so.6"
_CAPACITY = 1 << 20

_LOCAL = "_ZZ"
"""Start of the symbol of a function's own variable. Source: Itanium C++ ABI, scope encoding."""

_COPY = re.compile(r"(_|_?\$_)\d+$")
"""What the compiler appends to the name of one of several equal local variables."""

_VERSION = re.compile(r"\b(?:__\d+|_V_\w+)::")
"""Namespaces of NVIDIA's libraries that hold their version, which no one writes."""


def variable_name(symbol: str) -> str:
    """A variable's name in the source: that of a function's own variable alone, otherwise with its namespaces."""
    for mangled in dict.fromkeys((_COPY.sub("", symbol), symbol)):
        name = demangle(mangled)
        if name is not None:
            return name.rpartition("::")[2] if mangled.startswith(_LOCAL) else without_versions(name)
    return symbol


def without_versions(text: str) -> str:
    """``text`` without the namespaces that hold a library's version: ``cub::BlockReduce``."""
    return _VERSION.sub("", text)


def demangle(symbol: str) -> str | None:
    """Demangle with the C++ runtime; ``None`` if that fails. Source: Itanium C++ ABI, ``__cxa_demangle``."""
    if not symbol.startswith("_Z"):
        return None
    demangle, free = _runtime()
    status = ctypes.c_int()
    address = demangle(symbol.encode(), None, None, ctypes.byref(status))
    if not address:
        return None
    try:
        text = ctypes.string_at(address)
    finally:
        free(address)
    return text.decode(errors="replace") if len(text) < _CAPACITY else None


@cache
def _runtime() -> tuple[Callable[..., Any], Callable[..., Any]]:
    """``__cxa_demangle`` and ``free`` of the C++ runtime that Numba's extension modules are linked with.

    Raises: ``UserError`` if the library is missing.
    """
    try:
        runtime = ctypes.CDLL(_RUNTIME)
    except OSError as error:
        problem = f"the C++ runtime library {_RUNTIME} is missing."
        raise UserError(problem, hint="Install libstdc++6.") from error
    demangle, free = runtime["__cxa_demangle"], runtime["free"]
    demangle.restype = ctypes.c_void_p
    demangle.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int)]
    free.argtypes = [ctypes.c_void_p]
    free.restype = None
    return demangle, free
