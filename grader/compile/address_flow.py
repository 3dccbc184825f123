"""Where a kernel decides by the value of an address, not by what lies there.

Pointers of a launch differ between an emulator, a first run and a timed run, so a kernel can tell these apart by them.
Ordinary code compares pointers into the same array, tests a pointer for null, and masks its lowest bits before a
vector access. All other decisions by an address are found: its value follows from the kernel's parameters through
arithmetic and moves, in the order of the PTX.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

_LABEL = re.compile(r"[\w$]+:")
_WORD = re.compile(r"%[\w$.]+|[\w$]+")
_PREDICATE = re.compile(r"@!?%[\w$]+\s*")
_ALIGNMENT_MASK = 255
"""A mask up to this one keeps bits that are zero in the address of every allocation."""

_ORDERED = ("lt", "le", "gt", "ge", "lo", "ls", "hi", "hs")
_MOST_PASSES = 4
"""Times that the text is read: values in a loop may come from further down."""

Bases = frozenset[str]
_DERIVED: Bases = frozenset({"a distance between arrays, or some bits of an address"})

_MOVES = ("mov.", "add.", "mad.", "selp.", "cvta.", "sub.")
"""Instructions that make an address of an address."""


@dataclass(frozen=True, slots=True)
class _Statement:
    offset: int
    opcode: str
    operands: tuple[str, ...]


def decisions_by_address(body: str, start: int, pointers: Collection[str]) -> Iterator[int]:
    """Offsets of instructions in ``body`` that compare an address with anything but its own array.

    ``body`` is a kernel's text without comments, from offset ``start`` of its PTX; ``pointers`` are the names of the
    parameters that are addresses.
    """
    flow = _Flow(frozenset(pointers))
    statements = list(_statements(body, start))
    for _ in range(_MOST_PASSES):
        before = dict(flow.bases)
        for each in statements:
            flow.follow(each)
        if flow.bases == before:
            break
    return (each.offset for each in statements if flow.decides(each))


def _statements(body: str, start: int) -> Iterator[_Statement]:
    offset = start
    for raw in body.split(";"):
        text = raw.replace("{", " ").replace("}", " ") if ".reg" in raw or raw.strip()[:1] in "{}" else raw
        lines = [line for line in text.split("\n") if not line.lstrip().startswith(".") and line.strip()]
        code = _PREDICATE.sub("", _LABEL.sub("", " ".join(lines)).strip(), count=1)
        opcode, _, rest = code.partition(" ")
        if rest:
            yield _Statement(offset + len(raw) - 1, opcode, tuple(part.strip() for part in rest.split(",")))
        offset += len(raw) + 1


@dataclass(slots=True)
class _Flow:
    """For each register the arrays into which its value points, or ``_DERIVED``."""

    pointers: frozenset[str]
    bases: dict[str, Bases] = field(default_factory=dict)

    def of(self, operand: str) -> Bases:
        """The arrays into which an operand points; empty for numbers and other values."""
        words = _WORD.findall(operand)
        found = [self.bases.get(word, frozenset()) for word in words if word.startswith("%")]
        return frozenset().union(*found)

    def follow(self, each: _Statement) -> None:
        """Note what an instruction makes of addresses."""
        target, *sources = each.operands
        if each.opcode.startswith("ld.param"):
            named = frozenset(_WORD.findall(sources[0])) & self.pointers if sources else frozenset()
            self._give(target, frozenset(named))
        elif each.opcode.startswith(("cvta.shared", "cvta.local")):
            self._give(target, frozenset({each.opcode.split(".")[1]}))
        elif not each.opcode.startswith(("ld.", "ldu.", "st.", "atom.", "red.", "setp.", "call", "tex.")):
            self._give(target, self._made(each.opcode, sources))

    def _give(self, target: str, bases: Bases) -> None:
        for register in _WORD.findall(target) if bases else ():
            self.bases[register] = self.bases.get(register, frozenset()) | bases

    def _made(self, opcode: str, sources: list[str]) -> Bases:
        bases = [self.of(source) for source in sources]
        if opcode.startswith("and.") and any(map(_is_alignment, sources)):
            return frozenset()
        if opcode.startswith("sub.") and all(bases):
            return frozenset() if len(set(bases)) == 1 else _DERIVED
        if not opcode.startswith(_MOVES):
            return _DERIVED if any(bases) else frozenset()
        return frozenset().union(*bases)

    def decides(self, each: _Statement) -> bool:
        """Whether an instruction compares what is derived from an address, or an address with another value."""
        if not each.opcode.startswith("setp."):
            return False
        left, right = each.operands[1:3]
        one, other = self.of(left), self.of(right)
        if not one and not other:
            return False
        if _DERIVED & (one | other):
            return True
        if one and other:
            return one != other and any(f".{how}" in each.opcode for how in _ORDERED)
        return _number(right if one else left) != 0


def _is_alignment(operand: str) -> bool:
    value = _number(operand)
    return value is not None and 0 <= value <= _ALIGNMENT_MASK


def _number(text: str) -> int | None:
    try:
        return int(text, 0)
    except ValueError:
        return None
