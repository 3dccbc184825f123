"""Layout of a frame: the rows that precede the registers of a function."""

from grader.engines.emulator.isa.cells import Cell

ROW_RETURN = 0
"""Frame offset of the return address row (32-bit)."""

ROW_CALLER = ROW_RETURN + Cell.I32.row_bytes
"""Frame offset of the row with the caller's frame (32-bit)."""

ROW_LOCAL = ROW_CALLER + Cell.I32.row_bytes
"""Frame offset of the row with the start of the function's local memory (64-bit)."""

FRAME_HEADER = ROW_LOCAL + Cell.I64.row_bytes
"""Bytes that every frame starts with."""
