"""The one way this room compiles: machine code kept on disk, no GIL, C semantics for division and overflow."""

import hashlib
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

from grader.cache import cache_folder
from grader.engines.emulator.core.parts import PartCompiler

Function = TypeVar("Function", bound=Callable[..., Any])

_ROOT = Path(__file__).parent.parent
_COMPILED = ("core", "isa")


@cache
def machine_code_folder() -> Path:
    """Where this version's machine code is kept: a folder per version of the sources and of the compiler."""
    digest = hashlib.sha256(f"{version('numba')} {version('llvmlite')}".encode())
    for room in _COMPILED:
        for path in sorted((_ROOT / room).glob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return cache_folder() / f"emulator-{digest.hexdigest()[:16]}"


def compiled(function: Function) -> Function:
    """Compile ``function`` with Numba as a part of the interpreter, callable from other such parts only.

    Integers of every width, and constants, are passed as 64 bits, so that it is compiled once and not for every
    combination of its callers' types.
    """
    dispatcher = numba.njit(
        nogil=True,
        error_model="numpy",
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        pipeline_class=PartCompiler,
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


def entry(function: Function) -> Function:
    """Compile ``function`` as the entry point: its machine code, with all it calls, is kept on disk."""
    dispatcher = numba.njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True)(function)
    dispatcher._cache = _Cache(function)  # noqa: SLF001 - what ``cache=True`` does, with a folder of our choice
    result: Function = dispatcher
    return result


class _Locator(_CacheLocator):
    """Puts the cache in ``machine_code_folder``, which may be read-only once it is filled.

    Numba's own locators want to write, and look at one source file's date instead of all sources' contents.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @classmethod
    def from_function(cls, function: Callable[..., Any], _file: str) -> "_Locator":
        return cls(function)

    def ensure_cache_path(self) -> None:
        """The folder is made when something is written."""

    def get_cache_path(self) -> str:
        return str(machine_code_folder())

    def get_source_stamp(self) -> str:
        return machine_code_folder().name

    def get_disambiguator(self) -> None:
        return None


class _CacheImplementation(CompileResultCacheImpl):
    _locator_classes = (_Locator,)


class _Cache(FunctionCache):
    _impl_class = _CacheImplementation

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """The machine code on disk, or ``None`` where there is none, or no folder that could hold it."""
        try:
            return super().load_overload(signature, target_context)
        except OSError:
            return None

    def save_overload(self, signature: Any, data: Any) -> None:
        """Keep the machine code if the folder can be written; where it cannot, the next process compiles again."""
        try:
            machine_code_folder().mkdir(parents=True, exist_ok=True)
            super().save_overload(signature, data)
        except OSError:
            return
