"""Launch directives: ``// launch: row_sum_shared block=256 grid=rows shared=block*4`` in either language."""

import ast
import io
import re
import tokenize
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from grader.compile import tokens
from grader.compile.messages import clean
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.plan import Geometry
from grader.model.reason import as_written

EXPECTED = "launch: KERNEL block=256 grid=ceil(n/block) shared=block*4"
"""The form of a directive; ``shared`` is optional."""

_DIRECTIVE = re.compile(r"[\s/*#!<]*launch\s*:\s*(?P<kernel>[^\s=]*)(?P<rest>.*?)(?:\*/)?\s*", re.DOTALL)
_SETTING = re.compile(r"(?<!\w)([A-Za-z_]\w*)\s*=")
_OUTER_COMMA = re.compile(r",(?![^()]*\))")
_CHARACTERS = re.compile(r"(?:[\w\s+/%(),-]|\*(?!\*))+")
_FUNCTIONS = frozenset({"ceil", "min", "max"})
_DIMENSIONS = {"block": 3, "grid": 3, "shared": 1}
_MAX_EXPRESSION = 200
_NODES = (
    ast.Expression,
    ast.BinOp,
    ast.UnaryOp,
    ast.USub,
    ast.operator,
    ast.Call,
    ast.Name,
    ast.expr_context,
    ast.Constant,
)


@dataclass(slots=True)
class Directives:
    """Launch geometries by kernel. ``broken`` maps a kernel to the problem with its directive."""

    geometries: dict[str, Geometry] = field(default_factory=dict)
    broken: dict[str, Diagnostic] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Comment:
    """One line of a comment and its location."""

    text: str
    file: str
    line: int


def cuda_comments(file: str, text: str) -> list[Comment]:
    """The comment lines of a CUDA C file."""
    return [
        Comment(text, file, token.line + offset)
        for token in tokens.tokenize(text)
        if token.kind is tokens.Kind.COMMENT
        for offset, text in enumerate(token.text.split("\n"))
    ]


def python_comments(file: str, text: str) -> list[Comment]:
    """The comments of a Python file, up to the first token that is not valid Python."""
    found: list[Comment] = []
    with suppress(tokenize.TokenError, SyntaxError):
        found.extend(
            Comment(token.string, file, token.start[0])
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type == tokenize.COMMENT
        )
    return found


def read_directives(
    comments: Iterable[Comment], kernels: Collection[str], constants: Mapping[str, int]
) -> Directives:
    """Read every launch directive in ``comments``; ``kernels`` are the names that the lab asks for.

    ``constants`` are the integer constants that the student's files define.
    """
    found = Directives()
    for comment in comments:
        match = _DIRECTIVE.fullmatch(comment.text)
        if match is None:
            continue
        kernel, rest = match["kernel"], match["rest"]
        if kernel not in kernels:
            names = ", ".join(sorted(kernels))
            message = f"launch directive for {kernel!r}, which this lab does not ask for; it asks for {names}"
            found.diagnostics.append(_diagnostic(comment, Severity.WARNING, message))
            continue
        try:
            geometry = _geometry(rest, found.geometries.get(kernel), constants)
        except ValueError as error:
            problem = _diagnostic(comment, Severity.ERROR, f"{error}; write: {EXPECTED}")
            found.diagnostics.append(problem)
            found.broken[kernel] = problem
        else:
            found.geometries[kernel] = geometry
    return found


def _diagnostic(comment: Comment, severity: Severity, message: str) -> Diagnostic:
    return Diagnostic(
        kind=DiagnosticKind.LAUNCH_DIRECTIVE,
        severity=severity,
        message=as_written(clean(message)),
        file=comment.file,
        line=comment.line,
    )


def _geometry(text: str, earlier: Geometry | None, constants: Mapping[str, int]) -> Geometry:
    """The settings of one directive. Raises: ``ValueError`` with the problem."""
    if earlier is not None:
        msg = "this kernel already has a launch directive; keep one"
        raise ValueError(msg)
    matches = list(_SETTING.finditer(text))
    before = text[: matches[0].start()] if matches else text
    if before.strip():
        msg = f"{before.strip()!r} is not understood"
        raise ValueError(msg)
    settings: dict[str, tuple[str, ...]] = {}
    for index, match in enumerate(matches):
        end = matches[index + 1].start() if index + 1 < len(matches) else len(text)
        name = match[1]
        if name not in _DIMENSIONS:
            msg = f"{name}= is not a setting"
            raise ValueError(msg)
        if name in settings:
            msg = f"{name}= is given twice"
            raise ValueError(msg)
        settings[name] = _expressions(name, text[match.end() : end])
    missing = [name for name in ("block", "grid") if name not in settings]
    if missing:
        msg = f"{' and '.join(f'{name}=' for name in missing)} is missing"
        raise ValueError(msg)
    shared = settings.get("shared", ("0",))
    used = {name for part in (*settings["grid"], *settings["block"], *shared) for name in _names(part)}
    return Geometry(
        grid=settings["grid"],
        block=settings["block"],
        shared=shared[0],
        constants={name: constants[name] for name in sorted(used & constants.keys())},
    )


def _names(expression: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(expression, mode="eval")) if isinstance(node, ast.Name)}


def _expressions(name: str, text: str) -> tuple[str, ...]:
    """The comma-separated extents of one setting. Raises: ``ValueError``."""
    if len(text) > _MAX_EXPRESSION:
        msg = f"{name}= is too long"
        raise ValueError(msg)
    parts = tuple(part.strip() for part in _OUTER_COMMA.split(text))
    for part in parts:
        if not _is_expression(part):
            msg = (
                f"{name}={part} is not an expression of integers, size names, + - * / // %, ceil, min and max"
            )
            raise ValueError(msg)
    if len(parts) > _DIMENSIONS[name]:
        msg = f"{name}= has {len(parts)} extents; at most {_DIMENSIONS[name]} are possible"
        raise ValueError(msg)
    return parts


def _is_expression(text: str) -> bool:
    """Whether ``text`` has the form that ``labs.geometry`` evaluates. Names are resolved there."""
    if _CHARACTERS.fullmatch(text) is None:
        return False
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return all(
        isinstance(node, _NODES)
        and (
            not isinstance(node, ast.Call) or (isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS)
        )
        for node in ast.walk(tree)
    )
