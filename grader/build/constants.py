"""Integers that a student's files give a name, for launch lines to use.

``#define TILE 32``, ``constexpr int tile = 32;``, in Python ``TILE = 32``. They are read, not computed; a name that
stands for one value here and another there stands for none.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from grader.build.tokens import Kind, directive, tokenize
from grader.model.build import BuildRequest
from grader.model.submission import Language

_MOST = 2**31 - 1

_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|0|[1-9][0-9]*)[uUlL]*")
_DEFINITION = re.compile(rf"([A-Za-z_]\w*)\s+\(?\s*({_INTEGER.pattern})\s*\)?")
_CONSTANT = frozenset({"const", "constexpr"})
_BOUNDARIES = frozenset({";", "{", "}"})
_WORD = re.compile(r"[A-Za-z_]\w*")

_Named = Iterator[tuple[str, int]]


def named_integers(request: BuildRequest, texts: Iterable[str]) -> dict[str, int]:
    """Those of the files' ``texts``, with the values that sweep macros are built with.

    The names that the lab's kernels have for sizes are left out: they stand for the sizes of each case.
    """
    read = _READERS[request.language]
    values: dict[str, set[int]] = {}
    for name, value in (named for text in texts for named in read(text)):
        values.setdefault(name, set()).add(value)
    found = {name: value for name, (value, *others) in values.items() if not others and value <= _MOST}
    params = [param for spec in request.kernels for param in spec.params]
    sizes = {word for param in params for text in (param.name, *param.dims) for word in _WORD.findall(text)}
    return {name: value for name, value in (found | request.macros).items() if name not in sizes}


def module_constants(body: Sequence[ast.stmt]) -> Iterator[tuple[ast.Assign | ast.AnnAssign, str]]:
    """Assignments of one name that run at import, those under ``if`` and ``try`` included, with the name."""
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield node, name
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
                yield node, name
            case ast.If() | ast.Try():
                for branch in (
                    node.body,
                    node.orelse,
                    *([node.finalbody] if isinstance(node, ast.Try) else []),
                ):
                    yield from module_constants(branch)
            case _:
                pass


def _in_cuda_c(text: str) -> _Named:
    tokens = [token for token in tokenize(text) if token.kind is not Kind.COMMENT]
    for token in tokens:
        if token.kind is Kind.DIRECTIVE:
            word, rest = directive(token)
            match = _DEFINITION.fullmatch(rest) if word == "define" else None
            if match is not None:
                yield match[1], int(match[3], 0)
    code = [token for token in tokens if token.kind is not Kind.DIRECTIVE]
    constant = False
    for token, equals, value, end in zip(code, code[1:], code[2:], code[3:], strict=False):
        constant = token.text not in _BOUNDARIES and (constant or token.text in _CONSTANT)
        match = _INTEGER.fullmatch(value.text)
        if constant and token.kind is Kind.IDENTIFIER and (equals.text, end.text) == ("=", ";") and match:
            yield token.text, int(match[1], 0)


def _in_python(text: str) -> _Named:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node, name in module_constants(tree.body):
        match node.value:
            case ast.Constant(value=int(number)) if not isinstance(number, bool):
                yield name, number


_READERS = {Language.CUDA_C: _in_cuda_c, Language.NUMBA: _in_python}
