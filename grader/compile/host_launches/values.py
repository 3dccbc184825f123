"""Launches in host code as values, and the expressions in them, the same for CUDA C and Python.

An expression is a tree of numbers, operators and variables. A variable stands for one value of one name in the source:
an assignment makes another variable. It is equal to itself only, so an expression that mentions a kernel's argument can
be recognised although the argument's own value is known.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Union

Expression = Union[
    "Number", "Variable", "Operation", "Conditional", "Call", "Dimensions", "Listing", "Extent", "Unreadable"
]

_MOST_COPIES = 32
_MOST_RECORDED = 200
"""Launches, and writes to device variables, that are recorded for one submission."""

_LARGEST = 2**40
_LARGEST_DENOMINATOR = 2**64


@dataclass(frozen=True, slots=True)
class Number:
    """A number in the source or computed from such numbers. ``real``: it has a floating-point type."""

    value: Fraction
    real: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """One value of a name. ``definition`` is ``None`` for a parameter of a function that nothing calls.

    ``type`` is the declared type, without ``const`` and references. ``repeated``: a loop changes the variable, and
    this is its value in the first round. ``top``: the name is defined outside of functions, as a macro is.
    """

    name: str
    definition: Expression | None = None
    type: str = ""
    real: bool = False
    line: int = 0
    repeated: bool = False
    top: bool = False


@dataclass(frozen=True, slots=True)
class Operation:
    """``left operator right``. ``//`` divides whole numbers, ``/`` divides exactly; a comparison is 0 or 1."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Conditional:
    """``yes`` if ``condition`` is not zero, otherwise ``no``."""

    condition: Expression
    yes: Expression
    no: Expression


@dataclass(frozen=True, slots=True)
class Call:
    """A call of ``ceil``, ``min`` or ``max``.

    ``whole`` rounds towards zero, ``real`` makes a floating-point number, ``array`` an array with these extents.
    """

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Dimensions:
    """Extents of a grid or a block."""

    x: Expression
    y: Expression = Number(Fraction(1))
    z: Expression = Number(Fraction(1))


@dataclass(frozen=True, slots=True)
class Listing:
    """A list in braces, or a Python tuple or list."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Extent:
    """An extent of an array; ``axis`` is ``None`` for the number of its elements."""

    array: Expression
    axis: int | None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Anything else, as the student wrote it; ``line`` is where."""

    text: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostLaunch:
    """One launch of a kernel in host code. ``kernel`` has no namespace; ``template_arguments`` are as written.

    ``function`` is the host function that contains the launch; ``None`` at the top level of a Python file.
    """

    kernel: str
    grid: Expression
    block: Expression
    shared: Expression
    stream: Expression | None
    arguments: tuple[Expression, ...]
    file: str
    line: int
    function: str | None
    template_arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolWrite:
    """Host code that gives a ``__constant__`` or ``__device__`` variable its value."""

    symbol: str
    file: str
    line: int
    call: str


@dataclass(slots=True)
class HostFacts:
    """What the host code of one submission does with the device."""

    launches: list[HostLaunch] = field(default_factory=list)
    symbol_writes: list[SymbolWrite] = field(default_factory=list)

    def add_launch(self, launch: HostLaunch) -> None:
        """Record a launch, unless there are too many."""
        if len(self.launches) < _MOST_RECORDED:
            self.launches.append(launch)

    def add_symbol_write(self, write: SymbolWrite) -> None:
        """Record that host code sets a device variable, unless that is known or there are too many."""
        if write not in self.symbol_writes and len(self.symbol_writes) < _MOST_RECORDED:
            self.symbol_writes.append(write)

    def launches_of(self, kernel: str) -> tuple[HostLaunch, ...]:
        """The launches of one kernel, in the order of the program."""
        return tuple(launch for launch in self.launches if launch.kernel == kernel)


def is_bounded(value: Fraction) -> bool:
    """Whether a number is small enough to go on computing with it."""
    return abs(value) <= _LARGEST and value.denominator <= _LARGEST_DENOMINATOR


def whole(value: int) -> Number:
    """A whole number."""
    return Number(Fraction(value))


def is_real(expression: Expression) -> bool:
    """Whether an expression has a floating-point type in C."""
    match expression:
        case Number(real=real) | Variable(real=real):
            return real
        case Operation(operator="/"):
            return True
        case Operation(left=left, right=right):
            return is_real(left) or is_real(right)
        case Conditional(yes=yes, no=no):
            return is_real(yes) or is_real(no)
        case Call(function=function, arguments=arguments):
            return function != "whole" and (function == "real" or any(map(is_real, arguments)))
        case _:
            return False


_ARITHMETIC: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": lambda a, b: Fraction(a // b),
    "%": lambda a, b: a % b,
    "<": lambda a, b: Fraction(a < b),
    ">": lambda a, b: Fraction(a > b),
    "<=": lambda a, b: Fraction(a <= b),
    ">=": lambda a, b: Fraction(a >= b),
    "==": lambda a, b: Fraction(a == b),
    "!=": lambda a, b: Fraction(a != b),
    "&&": lambda a, b: Fraction(bool(a) and bool(b)),
    "||": lambda a, b: Fraction(bool(a) or bool(b)),
}
OPERATORS = frozenset(_ARITHMETIC)
"""The operators of ``Operation``. Others are written with these, or are unreadable."""

DIVISIONS = frozenset({"/", "//", "%"})


def operation(operator: str, left: Expression, right: Expression) -> Expression:
    """``left operator right``; a number if both are numbers."""
    defined = operator not in DIVISIONS or number_of(right) != 0
    if isinstance(left, Number) and isinstance(right, Number) and defined:
        value = _ARITHMETIC[operator](left.value, right.value)
        if is_bounded(value):
            return Number(value, real=left.real or right.real)
    return Operation(operator, left, right)


def conditional(condition: Expression, yes: Expression, no: Expression) -> Expression:
    """``yes`` or ``no``; the one that applies if ``condition`` is a number."""
    known = number_of(condition)
    if known is None:
        return yes if yes == no else Conditional(condition, yes, no)
    return yes if known else no


def call(function: str, *arguments: Expression) -> Expression:
    """A call of one of the functions of ``Call``; a number if the arguments are numbers."""
    numbers = [each.value for each in arguments if isinstance(each, Number)]
    if len(numbers) < len(arguments) or not numbers:
        return Call(function, arguments)
    real = any(map(is_real, arguments))
    match function:
        case "ceil":
            return Number(Fraction(-(-numbers[0] // 1)), real=real)
        case "whole":
            return Number(Fraction(int(numbers[0])))
        case "real":
            return Number(numbers[0], real=True)
        case _:
            return Number(min(numbers) if function == "min" else max(numbers), real=real)


def copied(expression: Expression) -> Iterator[Expression]:
    """``expression`` without conversions, then each expression that it merely copies."""
    for _ in range(_MOST_COPIES):
        match expression:
            case Call(function="whole" | "real", arguments=(inner,)):
                expression = inner
            case Variable(definition=definition, repeated=False) if definition is not None:
                yield expression
                expression = definition
            case _:
                yield expression
                return


def value_of(expression: Expression) -> Expression:
    """The last of ``copied``: what a chain of variables stands for."""
    *_, last = copied(expression)
    return last


def number_of(expression: Expression) -> Fraction | None:
    """The number that an expression is or copies, if it is one."""
    last = value_of(expression)
    return last.value if isinstance(last, Number) else None


def dimensions(value: Expression) -> Dimensions | None:
    """``value`` as the extents of a grid or a block; a number is one extent."""
    match value_of(value):
        case Dimensions() as found:
            return found
        case Listing(items=items) if 1 <= len(items) <= 3:  # noqa: PLR2004 - x, y and z
            return Dimensions(*map(converted_to_whole, items))
        case Listing() | Unreadable(text=""):
            return None
        case _:
            return Dimensions(converted_to_whole(value))


def converted_to_whole(value: Expression) -> Expression:
    """``value`` in a variable of integer type."""
    return call("whole", value) if is_real(value) else value
