"""Write the geometry of a launch in host code as a launch directive says it: over the lab's sizes."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from grader.compile.host_launches.values import (
    Call,
    Conditional,
    Expression,
    Extent,
    HostLaunch,
    Number,
    Operation,
    Unreadable,
    Variable,
    copied,
    dimensions,
    is_real,
    number_of,
)
from grader.compile.messages import MAX_QUOTED, clean
from grader.model.kernel import Param
from grader.model.location import SourceLocation
from grader.model.plan import Geometry
from grader.model.reason import Reason, reason

_MOST_NODES = 100
"""Parts of the longest expression that is written."""

_MAX_TEXT = 200
_MEANINGS = frozenset({"block", "block_x", "block_y", "block_z", "ceil", "floor", "log2", "min", "max"})
"""Names with a meaning of their own in a directive."""

_OPERATORS: dict[str, type[ast.operator]] = {
    "+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": ast.Div, "//": ast.FloorDiv, "%": ast.Mod,
}  # fmt: skip
_COMPARISONS: dict[str, type[ast.cmpop]] = {"<": ast.Lt, ">": ast.Gt, "<=": ast.LtE, ">=": ast.GtE}


class UnreadableLaunchError(Exception):
    """The geometry of a launch is not known; ``reason`` says which part and why."""

    def __init__(self, problem: Reason) -> None:
        self.reason = problem
        super().__init__(problem.code)


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchTarget:
    """The kernel that is launched, as the lab asks for it.

    ``parameters`` are the lab's parameters in the order of the student's. ``sizes`` are the names of the lab's sizes.
    ``default`` is the lab's geometry. ``constants`` are the named integers of the student's files.
    """

    parameters: Sequence[Param]
    sizes: frozenset[str]
    default: Geometry | None = None
    constants: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostGeometry:
    """The geometry of a launch. ``sizes`` are the lab's sizes that host code sets to a known number.

    ``scales``: the grid depends on a size of the lab. ``repeated``: it is that of a loop's first round.
    """

    geometry: Geometry
    sizes: Mapping[str, int]
    scales: bool
    repeated: bool


def host_geometry(launch: HostLaunch, target: LaunchTarget) -> HostGeometry:
    """The geometry of ``launch`` in terms of the lab. Raises: ``UnreadableLaunchError``."""
    writer = _Writer(launch, target)
    block = writer.extents("block", launch.block)
    writer.names.clear()
    grid = writer.extents("grid", launch.grid)
    scales = bool(writer.names & target.sizes)
    shared = writer.part("shared", launch.shared, 0)
    return HostGeometry(
        geometry=Geometry(
            grid=grid,
            block=block,
            shared=shared,
            constants={name: target.constants[name] for name in sorted(writer.constants)},
        ),
        sizes=writer.numbers,
        scales=scales,
        repeated=writer.repeated,
    )


def suggested_geometry(launch: HostLaunch, target: LaunchTarget, default: Geometry) -> Geometry:
    """A geometry to write in place of a launch that cannot be read: its block if that can be, and the lab's grid."""
    writer = _Writer(launch, target)
    try:
        block = writer.extents("block", launch.block)
    except UnreadableLaunchError:
        return default
    return replace(default, block=block)


class _Writer:
    """Writes the expressions of one launch. ``names`` are those of the lab's sizes that it used."""

    def __init__(self, launch: HostLaunch, target: LaunchTarget) -> None:
        self._launch = launch
        self._target = target
        self._bound: list[tuple[Expression, Param]] = []
        self._nodes = 0
        self._part = ""
        self._axis = 0
        self.names: set[str] = set()
        self.constants: set[str] = set()
        self.numbers: dict[str, int] = {}
        self.repeated = False
        if len(launch.arguments) == len(target.parameters):
            for argument, param in zip(launch.arguments, target.parameters, strict=True):
                self._bind(argument, param)
        self._passed = {param.name for _, param in self._bound if not param.is_array}

    def _bind(self, argument: Expression, param: Param) -> None:
        """Let ``argument``, and what it copies, stand for a parameter of the lab."""
        for each in copied(argument):
            if isinstance(each, Number):
                if not param.is_array and each.value.denominator == 1:
                    self.numbers[param.name] = int(each.value)
            elif not (isinstance(each, Unreadable) and not each.text):
                self._bound.append((each, param))

    def extents(self, part: str, value: Expression) -> tuple[str, ...]:
        """The text of each extent of a grid or a block; the last ones are left out if they are 1."""
        found = dimensions(value)
        if found is None:
            raise self._unknown(part, Unreadable(""))
        texts = [self.part(part, each, axis) for axis, each in enumerate((found.x, found.y, found.z))]
        while len(texts) > 1 and texts[-1] == "1":
            texts.pop()
        return tuple(texts)

    def part(self, part: str, value: Expression, axis: int) -> str:
        """The text of one expression."""
        self._part, self._axis, self._nodes = part, axis, 0
        text = ast.unparse(ast.fix_missing_locations(ast.Expression(self._written(value))))
        if len(text) > _MAX_TEXT:
            raise self._too_long()
        return text

    def _written(self, value: Expression) -> ast.expr:
        self._nodes += 1
        if self._nodes > _MOST_NODES:
            raise self._too_long()
        names = [param.name for known, param in self._bound if known == value and not param.is_array]
        if names:
            return self._size(names)
        match value:
            case Number(value=number):
                found = _constant(number)
            case Variable():
                found = self._variable(value)
            case Operation(operator=operator, left=left, right=right):
                found = self._operation(operator, left, right)
            case Conditional(condition=condition, yes=yes, no=no):
                found = self._conditional(condition, yes, no)
            case Call(function="array"):
                raise self._unknown(self._part, value)
            case Call(function=function, arguments=arguments):
                found = self._call(function, arguments)
            case Extent(array=array, axis=axis):
                found = self._extent(value, array, axis)
            case _:
                raise self._unknown(self._part, value)
        return found

    def _call(self, function: str, arguments: Sequence[Expression]) -> ast.expr:
        written = [self._written(each) for each in arguments]
        if function not in {"whole", "real"}:
            return ast.Call(ast.Name(function), written, [])
        inner = arguments[0]
        is_whole = not is_real(inner) or (isinstance(inner, Call) and inner.function in {"ceil", "whole"})
        if function == "real" or is_whole:
            return written[0]
        return ast.BinOp(written[0], ast.FloorDiv(), _constant(Fraction(1)))

    def _size(self, names: Sequence[str]) -> ast.expr:
        """The name of the size. If one argument is passed for several, the lab's own grid decides."""
        if len(names) > 1 and self._target.default is not None:
            default = self._target.default.grid[self._axis : self._axis + 1]
            near = [name for name in names if any(name in _names(text) for text in default)]
            names = near or names
        self.names.update(names)
        if len(names) == 1:
            return ast.Name(names[0])
        return ast.Call(ast.Name("max"), [ast.Name(name) for name in names], [])

    def _variable(self, variable: Variable) -> ast.expr:
        """A size of the lab with this name, a named integer of the file, or else what the variable stands for."""
        name, number = variable.name.rpartition(".")[2], number_of(variable)
        target = self._target
        sizes = [size for size in target.sizes - self._passed if size.lower() == name.lower()]
        if len(sizes) == 1:
            if number is not None and number.denominator == 1:
                self.numbers[sizes[0]] = int(number)
            return self._size(sizes)
        known = name in target.constants and name not in _MEANINGS and not variable.repeated
        if known and (variable.top or number == target.constants[name]):
            self.constants.add(name)
            return ast.Name(name)
        if variable.definition is None:
            raise self._unknown(self._part, variable)
        self.repeated |= variable.repeated
        return self._written(variable.definition)

    def _operation(self, operator: str, left: Expression, right: Expression) -> ast.expr:
        if operator in _OPERATORS:
            return ast.BinOp(self._written(left), _OPERATORS[operator](), self._written(right))
        if operator in _COMPARISONS:
            return ast.Compare(self._written(left), [_COMPARISONS[operator]()], [self._written(right)])
        one, zero = Number(Fraction(1)), Number(Fraction(0))
        return self._conditional(Operation(operator, left, right), one, zero)

    def _conditional(self, condition: Expression, yes: Expression, no: Expression) -> ast.expr:
        """``yes if condition else no``; a directive has no ``==``, so a difference takes its place."""
        match condition:
            case Operation(operator="==", left=left, right=right):
                return self._conditional(Operation("!=", left, right), no, yes)
            case Operation(operator="!=", left=left, right=right):
                zero = right == Number(Fraction(0))
                test = self._written(left if zero else Operation("-", left, right))
            case Operation(operator="&&", left=left, right=right):
                return self._conditional(left, Conditional(right, yes, no), no)
            case Operation(operator="||", left=left, right=right):
                return self._conditional(left, yes, Conditional(right, yes, no))
            case _:
                test = self._written(condition)
        return ast.IfExp(test, self._written(yes), self._written(no))

    def _extent(self, value: Extent, array: Expression, axis: int | None) -> ast.expr:
        """An extent of an array: as the lab declares it, or as host code makes it."""
        chain = list(copied(array))
        for known, param in self._bound:
            if param.is_array and any(known == each for each in chain):
                dims = param.dims if axis is None else param.dims[axis : axis + 1]
                if dims:
                    text = " * ".join(f"({dim})" for dim in dims)
                    self.names.update(_names(text))
                    return ast.parse(text, mode="eval").body
        made = chain[-1]
        if isinstance(made, Call) and made.function == "array":
            extents = made.arguments if axis is None else made.arguments[axis : axis + 1]
            if extents:
                product = extents[0]
                for each in extents[1:]:
                    product = Operation("*", product, each)
                return self._written(product)
        raise self._unknown(self._part, value)

    def _unknown(self, part: str, value: Expression) -> UnreadableLaunchError:
        line = getattr(value, "line", 0) or self._launch.line
        location = SourceLocation(file=self._launch.file, line=line)
        text = clean(_spelled(value), MAX_QUOTED)
        return UnreadableLaunchError(reason("launch-part-unknown", location=location, part=part, text=text))

    def _too_long(self) -> UnreadableLaunchError:
        location = SourceLocation(file=self._launch.file, line=self._launch.line)
        return UnreadableLaunchError(reason("launch-part-too-long", location=location, part=self._part))


def _spelled(value: Expression) -> str:
    match value:
        case Variable(name=name):
            return name
        case Extent(array=array, axis=axis):
            return f"{_spelled(array)}.{'size' if axis is None else f'shape[{axis}]'}"
        case Unreadable(text=text) if text:
            return text
        case _:
            return "?"


def _names(text: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name)}


def _constant(number: Fraction) -> ast.expr:
    whole = ast.Constant(abs(number.numerator))
    written: ast.expr = ast.UnaryOp(ast.USub(), whole) if number < 0 else whole
    if number.denominator == 1:
        return written
    return ast.BinOp(written, ast.Div(), ast.Constant(number.denominator))
