"""PTX's fundamental types and their register cells."""

from dataclasses import dataclass

from grader.engines.emulator.isa.cells import FLOATS, INTEGERS, Cell


@dataclass(frozen=True, slots=True)
class PtxType:
    """A type suffix: ``kind`` is ``s``, ``u``, ``b``, ``f`` or ``p``; ``bits`` its width."""

    name: str
    kind: str
    bits: int

    @property
    def cell(self) -> Cell:
        """The cell that micro-operations of this type work on."""
        if self.kind == "p":
            return Cell.P
        return FLOATS[self.bits] if self.kind == "f" else INTEGERS[self.bits]

    @property
    def integer(self) -> Cell:
        """The integer cell of the same width."""
        return INTEGERS[self.bits]

    @property
    def token(self) -> str:
        """The cell's name in micro-operations."""
        return self.cell.token

    @property
    def bytes(self) -> int:
        """Size in memory."""
        return self.bits // 8

    @property
    def is_float(self) -> bool:
        """Whether it is a floating-point type."""
        return self.kind == "f"

    @property
    def is_signed(self) -> bool:
        """Whether it is a signed integer type."""
        return self.kind == "s"


TYPES: dict[str, PtxType] = {
    **{f"{kind}{bits}": PtxType(f"{kind}{bits}", kind, bits) for kind in "sub" for bits in (8, 16, 32, 64)},
    **{f"f{bits}": PtxType(f"f{bits}", "f", bits) for bits in (16, 32, 64)},
    "pred": PtxType("pred", "p", 1),
}
"""Every scalar type that the emulator supports, by its suffix."""
