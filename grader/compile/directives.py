"""Launch directives: ``// launch: row_sum_shared block=256 grid=rows shared=block*4`` in either language."""

import ast
import io
import re
import tokenize
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from grader.compile import tokens
from grader.compile.messages import MAX_QUOTED, clean
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.plan import Geometry
from grader.model.reason import Reason, first_of, reason

_DIRECTIVE = re.compile(r"[\s/*#!<]*launch\s*:\s*(?P<kernel>[^\s=]*)(?P<rest>.*?)(?:\*/)?\s*", re.DOTALL)
_SETTING = re.compile(r"(?<!\w)([A-Za-z_]\w*)\s*=")
_OUTER_COMMA = re.compile(r",(?![^()]*\))")
_CHARACTERS = re.compile(r"(?:[\w\s+/%(),<>-]|\*(?!\*))+")
_FUNCTIONS = frozenset({"ceil", "min", "max"})
_DIMENSIONS = {"block": 3, "grid": 3, "shared": 1}
_MAX_EXPRESSION = 200
_MAX_KERNELS = 12
_NODES = (
    ast.Expression,
    ast.BinOp,
    ast.UnaryOp,
    ast.USub,
    ast.operator,
    ast.IfExp,
    ast.Compare,
    *(ast.Lt, ast.LtE, ast.Gt, ast.GtE),
    ast.Call,
    ast.Name,
    ast.expr_context,
    ast.Constant,
)


class _InvalidError(Exception):
    """A directive is invalid; the problem is a statement."""

    def __init__(self, problem: Reason) -> None:
        self.problem = problem
        super().__init__(problem.code)


@dataclass(slots=True)
class Directives:
    """Launch geometries by kernel. ``broken`` maps a kernel to the problem with its directive.

    ``constants`` are the named integers that a geometry may use.
    """

    constants: Mapping[str, int] = field(default_factory=dict)
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
    found = Directives(constants=constants)
    for comment in comments:
        match = _DIRECTIVE.fullmatch(comment.text)
        if match is None:
            continue
        kernel, rest = match["kernel"], match["rest"]
        if kernel not in kernels:
            asked = first_of(sorted(kernels), _MAX_KERNELS)
            said = reason("directive-kernel-unknown", kernel=clean(kernel, MAX_QUOTED), kernels=asked)
            found.diagnostics.append(_diagnostic(comment, Severity.WARNING, said))
            continue
        try:
            geometry = _geometry(kernel, rest, found.geometries, constants)
        except _InvalidError as error:
            problem = _diagnostic(comment, Severity.ERROR, error.problem)
            found.diagnostics.append(problem)
            found.broken[kernel] = problem
        else:
            found.geometries[kernel] = geometry
    return found


def _diagnostic(comment: Comment, severity: Severity, message: Reason) -> Diagnostic:
    return Diagnostic(
        kind=DiagnosticKind.LAUNCH_DIRECTIVE,
        severity=severity,
        message=message,
        file=comment.file,
        line=comment.line,
    )


def _invalid(problem: Reason) -> _InvalidError:
    """The error of a directive with this problem, which also says how to write one."""
    return _InvalidError(reason("directive-invalid", problem=problem))


def _geometry(
    kernel: str, text: str, known: Mapping[str, Geometry], constants: Mapping[str, int]
) -> Geometry:
    """The settings of one directive. Raises: ``_InvalidError``, also if the geometry of ``kernel`` is known."""
    if kernel in known:
        raise _InvalidError(reason("directive-repeated", kernel=kernel))
    matches = list(_SETTING.finditer(text))
    before = text[: matches[0].start()] if matches else text
    if before.strip():
        raise _invalid(reason("directive-text-unknown", text=clean(before, MAX_QUOTED)))
    settings: dict[str, tuple[str, ...]] = {}
    for index, match in enumerate(matches):
        end = matches[index + 1].start() if index + 1 < len(matches) else len(text)
        name = match[1]
        if name not in _DIMENSIONS:
            raise _invalid(reason("directive-setting-unknown", setting=clean(name, MAX_QUOTED)))
        if name in settings:
            raise _invalid(reason("directive-setting-repeated", setting=name))
        settings[name] = _expressions(name, text[match.end() : end])
    missing = tuple(f"{name}=" for name in ("block", "grid") if name not in settings)
    if missing:
        raise _invalid(reason("directive-setting-missing", settings=missing))
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
    """The comma-separated extents of one setting. Raises: ``_InvalidError``."""
    if len(text) > _MAX_EXPRESSION:
        raise _invalid(reason("directive-expression-too-long", setting=name))
    parts = tuple(part.strip() for part in _OUTER_COMMA.split(text))
    for part in parts:
        if not _is_expression(part):
            raise _invalid(reason("directive-expression-invalid", setting=name, text=clean(part)))
    if len(parts) > _DIMENSIONS[name]:
        most = _DIMENSIONS[name]
        raise _invalid(reason("directive-dimensions", setting=name, found=len(parts), most=most))
    return parts


def _is_expression(text: str) -> bool:
    """Whether ``text`` has the form that ``labs.geometry`` evaluates. Names are resolved there."""
    if _CHARACTERS.fullmatch(text) is None:
        return False
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return all(isinstance(node, _NODES) and _is_allowed(node) for node in ast.walk(tree))


def _is_allowed(node: ast.AST) -> bool:
    """Whether ``node`` calls a known function, compares two values, or is something else."""
    match node:
        case ast.Call(func=function):
            return isinstance(function, ast.Name) and function.id in _FUNCTIONS
        case ast.Compare(ops=operators):
            return len(operators) == 1
        case _:
            return True
