"""The constant area holds every immediate as a whole row, so that micro-operations need no immediate forms.

An operand ``~offset`` refers to it. The launch fills in the rows that depend on it (sizes, parameters).
"""

import struct
from dataclasses import dataclass, field

from grader.engines.emulator.isa.cells import ROW_ALIGN, WARP

_STRUCT = {2: "<h", 4: "<i", 8: "<q"}


@dataclass(frozen=True, slots=True)
class ParameterRow:
    """A row to fill with ``width`` bytes at ``offset`` of the kernel's parameters, extended to ``cell`` bytes."""

    row: int
    offset: int
    width: int
    cell: int
    signed: bool


@dataclass(slots=True)
class ConstantArea:
    """Rows by content; equal constants share one row."""

    data: bytearray = field(default_factory=bytearray)
    parameters: list[ParameterRow] = field(default_factory=list)
    launch_rows: dict[str, int] = field(default_factory=dict)
    _known: dict[tuple[object, ...], int] = field(default_factory=dict)

    def number(self, value: int, cell: int) -> int:
        """The operand for an integer in every lane; ``cell`` is its bytes per lane."""
        bits = 8 * cell
        value = ((value + (1 << (bits - 1))) & ((1 << bits) - 1)) - (1 << (bits - 1))
        key = (value, cell)
        if key not in self._known:
            self._known[key] = self._append(struct.pack(_STRUCT[cell], value) * WARP)
        return ~self._known[key]

    def lanes(self, values: list[int]) -> int:
        """The operand for a row of 32-bit numbers, one for each lane."""
        key = ("lanes", *values)
        if key not in self._known:
            self._known[key] = self._append(struct.pack("<32I", *values))
        return ~self._known[key]

    def predicate(self, *, value: bool) -> int:
        """The operand for a constant predicate."""
        return self.number(-1 if value else 0, 4)

    def parameter(self, offset: int, width: int, cell: int, *, signed: bool) -> int:
        """The operand for a kernel parameter, or for part of one."""
        key = ("parameter", offset, width, cell, signed)
        if key not in self._known:
            row = self._append(bytes(cell * WARP))
            self._known[key] = row
            self.parameters.append(ParameterRow(row, offset, width, cell, signed))
        return ~self._known[key]

    def launch_value(self, name: str) -> int:
        """The operand for a 32-bit value that a launch sets, such as ``ntid.x``."""
        if name not in self.launch_rows:
            self.launch_rows[name] = self._append(bytes(4 * WARP))
        return ~self.launch_rows[name]

    def _append(self, row: bytes) -> int:
        offset = len(self.data)
        self.data += row + bytes(-len(row) % ROW_ALIGN)
        return offset
