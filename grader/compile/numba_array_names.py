"""Names of shared arrays in Numba's PTX: Numba only numbers them, and the syntax tree has the student's names."""

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType

from numba.cuda import cudaimpl
from numba.cuda.lowering import BaseLower

from grader.compile.python.constants import evaluate
from grader.compile.python.files import PythonFiles
from grader.compile.python.libraries import cuda
from grader.compile.python.scope import Scope
from grader.compile.python.values import NotConstantError

Names = Mapping[tuple[str, int], str]
"""The variable that a line of a file binds to a shared array."""


def shared_array_names(files: PythonFiles) -> Names:
    """The variable of every ``name = cuda.shared.array(…)``, by file and line; none where a line has several."""
    found: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
    for top in files.scopes:
        for scope in top.walk():
            for node in (node for statement in scope.body for node in ast.walk(statement)):
                match node:
                    case ast.Assign(
                        targets=[ast.Name(id=name)],
                        value=ast.Call(func=ast.Attribute(value=owner, attr="array")) as call,
                    ) if name.isascii() and _is_shared(owner, scope):
                        for line in range(call.lineno, (call.end_lineno or call.lineno) + 1):
                            found[scope.file, line].add(name)
    return {place: variables.pop() for place, variables in found.items() if len(variables) == 1}


def _is_shared(node: ast.expr, scope: Scope) -> bool:
    try:
        return evaluate(node, scope) is cuda.shared
    except NotConstantError:
        return False


@contextmanager
def named_shared_arrays(names: Names) -> Iterator[None]:
    """Context manager: Numba ends the symbol of a shared array with the name of its variable."""
    numbered = cudaimpl._get_unique_smem_id  # noqa: SLF001 - Numba offers no other way to name an array

    def named(prefix: str) -> str:
        name = names.get(_compiled_line(sys._getframe(1)))  # noqa: SLF001 - the instruction that is compiled is no argument
        return numbered(prefix) if name is None else f"{numbered(prefix)}_{name}"

    cudaimpl._get_unique_smem_id = named  # noqa: SLF001 - see above
    try:
        yield
    finally:
        cudaimpl._get_unique_smem_id = numbered  # noqa: SLF001 - see above


def _compiled_line(frame: FrameType | None) -> tuple[str, int]:
    """File and line of the instruction that Numba compiles in ``frame`` or in one of its callers."""
    while frame is not None:
        lowering = frame.f_locals.get("self")
        if isinstance(lowering, BaseLower):
            return lowering.loc.filename, lowering.loc.line
        frame = frame.f_back
    return "", 0
