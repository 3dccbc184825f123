"""A student's statements as the body of the function of a frame, at the lines of the student's file."""

import ast
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from textwrap import dedent

from grader.compile.failure import BuildFailed
from grader.compile.sources import Source
from grader.compile.tokens import Kind, directive, tokenize
from grader.model.kernel import FunctionSpec
from grader.model.location import SourceLocation
from grader.model.reason import Reason, reason

_SPACES = frozenset({"__device__", "__global__", "__host__"})
"""Words of a signature."""

_DEPTHS = {"{": 1, "}": -1}

_IMPORTS = """\
import math
import numba
import numpy as np
from numba import cuda, float32, float64, int32, int64, uint32
"""
"""What the statements of a function in Python may use."""


def c_function(function: FunctionSpec, own: Sequence[Source]) -> tuple[Source, ...]:
    """The one file of ``own`` as a function, with the signature before its first line. Raises: ``BuildFailed``."""
    source = _only(function, own, function.c_signature)
    tokens = [token for token in tokenize(source.text) if token.kind is not Kind.COMMENT]
    for token in tokens:
        if token.kind is Kind.DIRECTIVE:
            name, rest = directive(token)
            raise BuildFailed(
                _said("frame-body-directive", source, token.line, directive=f"#{name} {rest}".strip())
            )
    depth = 0
    for token in tokens:
        if token.text in _SPACES:
            raise BuildFailed(_signature_present(source, token.line, function.c_signature))
        depth += _DEPTHS.get(token.text, 0)
        if depth < 0:
            raise BuildFailed(_said("frame-body-bracket", source, token.line, function=function.name))
    return (replace(source, text=f"{function.c_signature} {{ {source.text}\n}}\n"),)


def python_function(function: FunctionSpec, own: Sequence[Source]) -> tuple[Source, ...]:
    """The one file of ``own``, marked as the body of ``function``. Raises: ``BuildFailed``."""
    source = _only(function, own, function.numba_signature)
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):  # said where the file is read
        for node in ast.parse(dedent(source.text)).body:
            if isinstance(node, ast.FunctionDef) and node.name == function.name:
                raise BuildFailed(_signature_present(source, node.lineno, function.numba_signature))
    return (replace(source, header=f"{_IMPORTS}\n{function.numba_signature}"),)


def inside(header: str, text: str, name: str) -> ast.Module:
    """The tree of ``header`` with the statements ``text`` in its last function, at their own lines.

    Raises: as ``ast.parse``.
    """
    statements = ast.parse(dedent(text), name).body
    tree = ast.parse(f"{header}\n    pass\n", name)
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt | ast.expr | ast.arg | ast.alias):
            node.lineno = node.end_lineno = 1
    function = tree.body[-1]
    if isinstance(function, ast.FunctionDef) and statements:
        function.body = statements
        function.end_lineno = statements[-1].end_lineno
    return tree


def _only(function: FunctionSpec, own: Sequence[Source], wanted: str) -> Source:
    if len(own) != 1:
        raise BuildFailed(_said("frame-body-files", own[1], 1, function=function.name, wanted=wanted))
    return own[0]


def _signature_present(source: Source, line: int, wanted: str) -> Reason:
    return _said("frame-body-signature", source, line, wanted=wanted)


def _said(code: str, source: Source, line: int, **params: str) -> Reason:
    return reason(code, location=SourceLocation(file=source.name, line=line), **params)
