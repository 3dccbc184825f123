"""Micro-operations on predicates: 32 booleans in one word."""

from grader.engines.emulator.isa.cells import Cell
from grader.engines.emulator.isa.emit import MicroOp

_P = Cell.P


def predicate_ops() -> dict[str, MicroOp]:
    """All micro-operations of this module by name."""
    two = (_P, _P)
    return {
        "mov.p": MicroOp(_P, (_P,), lambda _e, a: a),
        "not.p": MicroOp(_P, (_P,), lambda e, a: e.b.not_(a)),
        "and.p": MicroOp(_P, two, lambda e, a, b: e.b.and_(a, b)),
        "or.p": MicroOp(_P, two, lambda e, a, b: e.b.or_(a, b)),
        "xor.p": MicroOp(_P, two, lambda e, a, b: e.b.xor(a, b)),
        "selp.p": MicroOp(_P, (_P, _P, _P), lambda e, a, b, p: e.b.select(p, a, b)),
    }
