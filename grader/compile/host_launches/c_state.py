"""What is known while host code is followed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.compile.host_launches.c_functions import HostFunction, Parameter
from grader.compile.host_launches.c_macros import Macros
from grader.compile.host_launches.c_tokens import Span
from grader.compile.host_launches.followed import Followed
from grader.compile.host_launches.values import Expression, Variable


@dataclass(slots=True, kw_only=True)
class Program(Followed):
    """A program in CUDA C. ``managed`` are variables that host and device share."""

    macros: Macros
    functions: Mapping[str, HostFunction]
    managed: frozenset[str]


@dataclass(frozen=True, slots=True)
class Lambda:
    """A function in a variable."""

    parameters: tuple[Parameter, ...]
    body: Span


@dataclass(slots=True)
class Frame:
    """One call of a host function. ``ended``: the statements being followed have been left.

    ``declared`` are the names that the block being followed declares.
    """

    file: str
    function: str | None
    depth: int = 0
    values: dict[str, Expression] = field(default_factory=dict)
    declared: set[str] = field(default_factory=set)
    templates: Mapping[str, str] = field(default_factory=dict)
    lambdas: dict[str, Lambda] = field(default_factory=dict)
    result: Expression | None = None
    ended: bool = False

    def kind(self, name: str) -> str:
        """The declared type of a variable; nothing if it is unknown."""
        known = self.values.get(name)
        return known.type if isinstance(known, Variable) else ""

    def leave(self, outer: Mapping[str, Expression], declared: set[str]) -> None:
        """End a block: the names that it declares have the values from before it, as in ``outer``."""
        for name in self.declared:
            self.values.pop(name, None)
            if name in outer:
                self.values[name] = outer[name]
        self.declared = declared
