"""Every vector micro-operation and its number."""

from typing import Final

from grader.engines.emulator.isa.bit_ops import bit_ops
from grader.engines.emulator.isa.conversions import conversion_ops
from grader.engines.emulator.isa.emit import MicroOp
from grader.engines.emulator.isa.floats import float_ops
from grader.engines.emulator.isa.halves import half_ops
from grader.engines.emulator.isa.integers import integer_ops
from grader.engines.emulator.isa.predicates import predicate_ops

MICRO_OPS: Final[dict[str, MicroOp]] = (
    predicate_ops() | integer_ops() | bit_ops() | float_ops() | half_ops() | conversion_ops()
)
"""The micro-operations that work on rows, in the order of their numbers."""

NUMBER: Final[dict[str, int]] = {name: number for number, name in enumerate(MICRO_OPS)}
"""A micro-operation's number, which is its case in the arithmetic unit's switch."""
