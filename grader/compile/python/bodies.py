"""What the body of a student's function reads: globals, and the parts of modules. It may read nothing else."""

import ast
import dis
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType

from grader.compile.failure import BuildFailed
from grader.compile.python import libraries
from grader.compile.python.values import Function, Library, OwnModule, Unavailable
from grader.model.location import SourceLocation
from grader.model.reason import reason

_GLOBAL_LOOKUPS = frozenset({"LOAD_GLOBAL", "LOAD_NAME"})


@dataclass(slots=True)
class Reads:
    """The globals that a function reads, by name; of a file of the submission, the members that it reads."""

    names: dict[str, object] = field(default_factory=dict)
    members: dict[str, dict[str, object]] = field(default_factory=dict)


def code_of(function: Function) -> CodeType:
    """The bytecode of the function, which is not run. Raises: ``BuildFailed``.

    Decorators, default values and annotations are left out: Python would run them together with the ``def``.
    """
    node = function.node
    bare = ast.FunctionDef(name=node.name, args=without_values(node.args), body=node.body, decorator_list=[])
    module = ast.Module(body=[ast.copy_location(bare, node)], type_ignores=[])
    try:
        compiled = compile(module, function.scope.file, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        said = reason("python-too-deep", location=function.location, function=function.name)
        raise BuildFailed(said) from None
    (code,) = (constant for constant in compiled.co_consts if isinstance(constant, CodeType))
    return code


def without_values(args: ast.arguments) -> ast.arguments:
    """The parameters without annotations and default values."""

    def bare(parameter: ast.arg) -> ast.arg:
        return ast.copy_location(ast.arg(parameter.arg), parameter)

    return ast.arguments(
        posonlyargs=[bare(parameter) for parameter in args.posonlyargs],
        args=[bare(parameter) for parameter in args.args],
        vararg=None if args.vararg is None else bare(args.vararg),
        kwonlyargs=[bare(parameter) for parameter in args.kwonlyargs],
        kw_defaults=[None for _ in args.kwonlyargs],
        kwarg=None if args.kwarg is None else bare(args.kwarg),
        defaults=[],
    )


def reads(function: Function, code: CodeType) -> Reads:
    """What the function reads, each with its value. Raises: ``BuildFailed`` for what cannot be had or used."""
    found = Reads()
    _check_inner_functions(function, code)
    global_names = _global_names(code)
    waiting: list[ast.AST] = list(function.node.body)
    while waiting:
        node = waiting.pop()
        chain = _chain(node)
        if chain is None:
            waiting += ast.iter_child_nodes(node)
        elif chain[0].id in global_names:
            _read(function, chain[0], chain[1:], found)
    return found


def _chain(node: ast.AST) -> "tuple[ast.Name, *tuple[str, ...]] | None":
    """The name and the attributes of ``name.attribute.attribute``; ``None`` for any other node."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.insert(0, node.attr)
        node = node.value
    return (node, *attributes) if isinstance(node, ast.Name) else None


def _read(function: Function, root: ast.Name, attributes: tuple[str, ...], found: Reads) -> None:
    try:
        value = function.scope.lookup(root.id)
    except KeyError:
        # A local variable, a built-in function, or a mistake that Numba explains.
        return
    location = SourceLocation(file=function.scope.file, line=root.lineno)
    found.names[root.id] = value
    path, rest = root.id, list(attributes)
    while isinstance(value, Library | OwnModule):
        if not rest:
            said = reason("python-module-as-value", location=location, function=function.name, name=path)
            raise BuildFailed(said)
        owner, name = value, rest.pop(0)
        value = _member(function, owner, name, f"{path}.{name}", location)
        if isinstance(owner, OwnModule):
            found.members.setdefault(path, {})[name] = value
        path = f"{path}.{name}"
    if isinstance(value, Unavailable):
        said = reason(
            "python-name-needed", location=location, function=function.name, name=path, problem=value.problem
        )
        raise BuildFailed(said)


def _member(
    function: Function, owner: Library | OwnModule, name: str, path: str, location: SourceLocation
) -> object:
    try:
        return libraries.member(owner, name) if isinstance(owner, Library) else owner.scope.lookup(name)
    except KeyError:
        said = reason("python-not-for-kernels", location=location, function=function.name, name=path)
        raise BuildFailed(said) from None


def _check_inner_functions(function: Function, code: CodeType) -> None:
    """Refuse inner functions that read variables around them, or have default values, beside text constants.

    Numba writes the values of such variables into a text and executes it (``convert_code_obj_to_function``).
    """
    captures = any(inner.co_freevars for inner in _all_code(code))
    inner = [node for node in _below(function.node) if isinstance(node, ast.FunctionDef | ast.Lambda)]
    defaults = any(node.args.defaults or any(node.args.kw_defaults) for node in inner)
    if (captures or defaults) and any(_texts(function.node)):
        raise BuildFailed(reason("python-inner-function", location=function.location, function=function.name))


def _texts(function: ast.FunctionDef) -> Iterator[ast.Constant]:
    """The text constants in a function, without its docstrings."""
    documentation = {id(node.value) for node in _below(function) if isinstance(node, ast.Expr)}
    for node in _below(function):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str | bytes)
            and id(node) not in documentation
        ):
            yield node


def _below(function: ast.FunctionDef) -> Iterator[ast.AST]:
    for statement in function.body:
        yield from ast.walk(statement)


def _global_names(code: CodeType) -> frozenset[str]:
    """The names that the bytecode looks up outside of the function; a local variable may be called as an attribute."""
    return frozenset(
        instruction.argval
        for each in _all_code(code)
        for instruction in dis.get_instructions(each)
        if instruction.opname in _GLOBAL_LOOKUPS
    )


def _all_code(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _all_code(constant)
