"""Values about the parameters of a kernel: how it declares them, and which of the lab's arguments each takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from grader.compile.parameter_names import plain
from grader.compile.parameter_types import ParameterType
from grader.model.arguments import ArgumentMap, Passed, value_type
from grader.model.kernel import Param


class Evidence(Enum):
    """Why a parameter takes an argument; the value is the code of the statement about it."""

    ORDER = "parameter-by-order"
    NAME = "parameter-by-name"
    NOT_CONST = "parameter-by-not-const"
    CONST = "parameter-by-const"
    OUTPUT = "parameter-by-output"
    EXTENT = "parameter-by-extent"
    INDEX = "parameter-by-index"
    TYPE = "parameter-by-type"
    REST = "parameter-by-rest"


@dataclass(frozen=True, slots=True)
class Declared:
    """A parameter as the kernel declares it. ``spelling`` is its type, or its name in a language without types.

    ``rows_of`` are the kernel's arrays for which the number is the length of a row; see ``row_lengths``.
    """

    name: str | None
    type: ParameterType
    spelling: str
    rows_of: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Taken:
    """The lab's parameter, by index, that one of the kernel's takes."""

    source: int
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Binding:
    """The lab's parameter for each of the kernel's, and those that the kernel does not declare."""

    declared: tuple[Declared, ...]
    taken: tuple[Taken, ...]
    missing: tuple[int, ...]

    @property
    def moved(self) -> tuple[int, ...]:
        """The kernel's parameters, by index, that stand elsewhere than in the lab's declaration.

        As many as possible keep their order: those of the last longest increasing run of the lab's numbers.
        """
        runs: list[tuple[int, ...]] = []
        for index, each in enumerate(self.taken):
            before = [run for run in runs if self.taken[run[-1]].source < each.source]
            runs.append((*max(reversed(before), key=len, default=()), index))
        kept = max(reversed(runs), key=len, default=())
        return tuple(index for index in range(len(self.taken)) if index not in kept)

    def renamed(self, params: Sequence[Param]) -> tuple[int, ...]:
        """The kernel's parameters, by index, that stand where the lab has them, under other names."""
        moved = self.moved
        return tuple(
            index
            for index, (own, taken) in enumerate(zip(self.declared, self.taken, strict=True))
            if index not in moved
            and own.name is not None
            and plain(own.name) != plain(params[taken.source].name)
        )

    def differs(self, params: Sequence[Param]) -> bool:
        """Whether the kernel's parameters are not the lab's own."""
        return self.arguments(params) is not None

    def arguments(self, params: Sequence[Param]) -> ArgumentMap | None:
        """The map of arguments; ``None`` if it is the lab's own."""
        passed = tuple(
            _passed(params[taken.source], taken.source, own)
            for own, taken in zip(self.declared, self.taken, strict=True)
        )
        mapped = ArgumentMap(passed=passed)
        return None if mapped == ArgumentMap.identity(params) else mapped


def _passed(param: Param, source: int, own: Declared) -> Passed:
    given = value_type(param)
    return Passed(source=source, dtype=given if given is None else own.type.dtype or given)


@dataclass(frozen=True, slots=True)
class Unbound:
    """Why there is no binding. ``code`` names the statement; ``index`` is the kernel's parameter that it is about.

    ``sources`` are the lab's parameters that may be meant, by index.
    """

    code: str
    index: int | None = None
    sources: tuple[int, ...] = ()


class UnboundError(Exception):
    """The arguments of a kernel are not certain; ``unbound`` says why."""

    def __init__(self, unbound: Unbound) -> None:
        super().__init__(unbound.code)
        self.unbound = unbound
