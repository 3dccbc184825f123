"""What a name in a student's Python file stands for, besides a constant."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING

from grader.model.location import SourceLocation
from grader.model.reason import Reason

if TYPE_CHECKING:
    from grader.compile.python.scope import Scope


class NotConstantError(Exception):
    """An expression has no value that can be taken from the file; ``problem`` says why and where."""

    def __init__(self, problem: Reason) -> None:
        self.problem = problem
        super().__init__(problem.code)


@dataclass(frozen=True, slots=True)
class Unavailable:
    """A name without a value that can be taken from the file; ``problem`` says why and where."""

    problem: Reason


@dataclass(frozen=True, slots=True)
class Library:
    """An installed module of which kernels may use a part; see ``libraries``. ``name`` is its full name."""

    name: str


@dataclass(frozen=True, slots=True)
class OwnModule:
    """A file of the submission, as ``import file`` names it."""

    name: str
    scope: "Scope"


class JitTarget(Enum):
    """The processor that a decorator compiles for."""

    CUDA = "cuda"
    CPU = "cpu"


@dataclass(frozen=True, slots=True, kw_only=True)
class Jit:
    """A decorator that compiles a function.

    ``options`` are those that the grader keeps. ``signatures`` are the eager signatures: tuples of types, signatures,
    or text; see ``signatures``.
    """

    target: JitTarget
    options: Mapping[str, object] = field(default_factory=dict)
    signatures: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function of a student's file. ``scope`` is where its ``def`` stands; ``jit`` is its decorator, if any."""

    node: ast.FunctionDef
    scope: "Scope"
    jit: Jit | None = None

    @property
    def name(self) -> str:
        """The name in its ``def``."""
        return self.node.name

    @property
    def location(self) -> SourceLocation:
        """The line of its ``def``."""
        return SourceLocation(file=self.scope.file, line=self.node.lineno)

    @property
    def is_kernel(self) -> bool:
        """Whether it is a CUDA kernel."""
        return (
            self.jit is not None and self.jit.target is JitTarget.CUDA and not self.jit.options.get("device")
        )

    def decorated(self, jit: Jit) -> "Function":
        """The same function, compiled by ``jit``."""
        return replace(self, jit=jit)
