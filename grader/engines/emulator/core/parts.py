"""Functions that are compiled only as parts of the entry point.

Numba optimises every function by itself and turns it into machine code, then links it into its callers and does both
again: a function four calls deep is optimised five times. Python never calls the interpreter's parts, so they
stay plain LLVM until they are linked into the entry point, which is optimised once.
"""

import inspect
from collections.abc import Callable
from typing import Any

from numba._dynfunc import make_function
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class PartLibrary(JITCodeLibrary):
    """The LLVM code of a function that is linked into others and never runs alone."""

    def _optimize_final_module(self) -> None:
        """Skip optimisation here: the entry point is optimised with everything linked into it."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class PartCompiler(Compiler):
    """Numba's pipeline, stopped before machine code."""

    def __init__(
        self,
        typingctx: Any,
        targetctx: Any,
        library: Any,  # noqa: ARG002 - Numba's signature; it passes None
        args: Any,
        return_type: Any,
        flags: Any,
        locals: Any,  # noqa: A002 - Numba's name
    ) -> None:
        part = PartLibrary(targetctx.codegen(), "part")
        flags.no_compile = True
        super().__init__(typingctx, targetctx, part, args, return_type, flags, locals)

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """Compile ``func`` and give its callers a handle: a function object without machine code."""
        result = super().compile_extra(func)
        handle = make_function(
            inspect.getmodule(func), func.__name__, "", 0, result.environment, (result.library,)
        )
        self.state.targetctx.insert_user_function(handle, result.fndesc, [result.library])
        return result._replace(entry_point=handle)
