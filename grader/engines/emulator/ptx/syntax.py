"""Parts of a PTX module."""

import re
from dataclasses import dataclass, field
from functools import cached_property

_SYMBOL = re.compile(r"[A-Za-z_$.][\w$.@]*")


def symbols_in(text: str) -> list[str]:
    """The symbols that an operand or initialiser may name, in order."""
    return _SYMBOL.findall(text)


@dataclass(frozen=True, slots=True)
class Location:
    """A location in a source file; ``line`` is 1-based."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction: ``@%p bra.uni $L;`` has opcode ``("bra", "uni")`` and guard ``%p``.

    ``operands`` are texts, split at top-level commas. ``location`` is the innermost line in the student's files.
    """

    opcode: tuple[str, ...]
    operands: tuple[str, ...]
    guard: str | None
    negated: bool
    location: Location | None

    @property
    def text(self) -> str:
        """The opcode as PTX spells it."""
        return ".".join(self.opcode)


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable in some state space. ``count`` is ``None`` for an array of unstated size (dynamic shared memory).

    ``initial`` holds one text per element: a number or a symbol with an offset.
    """

    name: str
    space: str
    type: str
    align: int
    count: int | None
    initial: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Prototype:
    """Result and parameter types of an indirect call."""

    returns: tuple[Variable, ...]
    params: tuple[Variable, ...]


@dataclass(slots=True)
class Function:
    """A kernel or a device function. Without a body it is a declaration.

    ``labels`` maps a name to the index of the instruction behind it, ``tables`` to the labels of a
    ``.branchtargets``, ``prototypes`` to a ``.callprototype``.
    """

    name: str
    is_kernel: bool
    params: tuple[Variable, ...]
    returns: tuple[Variable, ...]
    has_body: bool = False
    registers: dict[str, str] = field(default_factory=dict)
    register_families: dict[str, str] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    body: list[Instruction] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    tables: dict[str, tuple[str, ...]] = field(default_factory=dict)
    prototypes: dict[str, Prototype] = field(default_factory=dict)

    def register_type(self, name: str) -> str | None:
        """The declared type of a register, such as ``b32``; ``None`` if this function has no such register."""
        declared = self.registers.get(name)
        if declared is None and name[-1:].isdigit():
            declared = self.register_families.get(name.rstrip("0123456789"))
        return declared


@dataclass
class Module:
    """A translation unit."""

    functions: dict[str, Function] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)

    @cached_property
    def symbols(self) -> frozenset[str]:
        """The symbols that the functions' operands may name. Read it when the module is complete."""
        texts = {
            text for function in self.functions.values() for ins in function.body for text in ins.operands
        }
        return frozenset(symbol for text in texts for symbol in symbols_in(text))


class PtxError(ValueError):
    """The parser cannot read the PTX text."""
