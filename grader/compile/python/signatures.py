"""Eager signatures: ``@cuda.jit("void(float32[:], int32)")``. Numba evaluates such a text; here it is only read."""

import ast

from grader.compile.python import libraries
from grader.compile.python.constants import evaluate
from grader.compile.python.values import Library, NotConstantError

_MAX_LENGTH = 2000
"""Length in characters of the longest signature that is read."""

_TYPES = Library("numba.cuda.types")


class _TypeNames:
    """The names that a signature in quotation marks may use."""

    file = "signature"

    def lookup(self, name: str) -> object:
        return libraries.member(_TYPES, name)


def read_signature(text: str) -> object:
    """The signature that ``text`` writes. It is no text itself, because Numba would evaluate that.

    Raises: ``SyntaxError``, ``NameError``, ``TypeError`` and ``ValueError``.
    """
    if len(text) > _MAX_LENGTH:
        raise ValueError(text[:_MAX_LENGTH])
    try:
        found = evaluate(ast.parse(text.strip(), mode="eval").body, _TypeNames())
    except NotConstantError as error:
        raise NameError(error.problem.code) from None
    except (RecursionError, MemoryError):
        raise ValueError(text) from None
    if isinstance(found, str):
        raise TypeError(text)
    return found
