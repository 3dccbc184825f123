"""The parts of installed libraries that a student's kernels and constants may use.

Everything else is host code. A module is looked up in its own dictionary, so that no lazy import runs.
"""

import cmath
import math
import operator
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any

import numba
import numba.cuda
import numba.cuda.libdevice
import numba.cuda.random
import numpy as np
from numba.core.types import Type

from grader.compile.python.values import Library

cuda: Any = numba.cuda
"""``numba.cuda`` as ``Any``: its type stubs are incomplete."""

CUDA_JIT = cuda.jit
CPU_JITS = (numba.jit, numba.njit)

_NUMBA_NAMES = frozenset({"jit", "njit", "prange", "literal_unroll", "from_dtype"})
_CUDA_NAMES = frozenset({"jit", "literal_unroll"})
_IN_KERNELS = frozenset({"numba.cuda.stubs", "numba.cuda.intrinsics", "numba.cuda.cache_hints"})
_TYPE_CONSTRUCTORS = frozenset({"Array", "Tuple", "UniTuple"})
_FOREIGN = frozenset({"ffi", "ffi_forced_object"})
_RANDOM = "xoroshiro128p_"


def _plain(_name: str, value: object) -> bool:
    return not isinstance(value, ModuleType)


def _nothing(_name: str, _value: object) -> bool:
    return False


def _type(name: str, value: object) -> bool:
    return isinstance(value, Type) and name not in _FOREIGN


def _numba(name: str, value: object) -> bool:
    return _type(name, value) or name in _NUMBA_NAMES


def _types(name: str, value: object) -> bool:
    return _type(name, value) or name in _TYPE_CONSTRUCTORS


def _cuda(name: str, value: object) -> bool:
    return _type(name, value) or name in _CUDA_NAMES or getattr(value, "__module__", None) in _IN_KERNELS


def _random(name: str, _value: object) -> bool:
    return name.startswith(_RANDOM)


def _function(_name: str, value: object) -> bool:
    return isinstance(value, FunctionType)


_LIBRARIES: dict[str, tuple[ModuleType, Callable[[str, object], bool]]] = {
    "cmath": (cmath, _plain),
    "math": (math, _plain),
    "operator": (operator, _plain),
    "numpy": (np, _plain),
    "numba": (numba, _numba),
    "numba.core": (numba.core, _nothing),
    "numba.core.types": (numba.types, _types),
    "numba.types": (numba.types, _types),
    "numba.cuda": (cuda, _cuda),
    "numba.cuda.cg": (cuda.cg, _function),
    "numba.cuda.libdevice": (cuda.libdevice, _function),
    "numba.cuda.random": (numba.cuda.random, _random),
    "numba.cuda.types": (cuda.types, _types),
}
"""Each library with the test of what may be used of it."""


def library(name: str) -> Library | None:
    """The library of this full name; ``None`` if kernels may use nothing of it."""
    return Library(name) if name in _LIBRARIES else None


def module(used: Library) -> ModuleType:
    """The module itself."""
    return _LIBRARIES[used.name][0]


def member(used: Library, name: str) -> object:
    """What ``name`` is in the library, a ``Library`` for a module. Raises: ``KeyError`` if it may not be used."""
    within = library(f"{used.name}.{name}")
    if within is not None:
        return within
    source, allows = _LIBRARIES[used.name]
    value = vars(source)[name]
    if name.startswith("_") or not allows(name, value):
        raise KeyError(name)
    return value


def public_members(used: Library) -> Iterator[tuple[str, object]]:
    """All names of the library that may be used, as ``from … import *`` binds them."""
    for name in vars(module(used)):
        try:
            yield name, member(used, name)
        except KeyError:
            continue
