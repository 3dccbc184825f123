"""What a reason says, for tests and benchmarks."""

from grader.messages import render
from grader.model.reason import Param, Reason


def english(reason: Reason | None) -> str:
    """``reason`` in English; empty for none."""
    return "" if reason is None else render(reason)


def codes(reason: Reason | None) -> frozenset[str]:
    """The codes of ``reason`` and of all reasons in it; empty for none."""
    if reason is None:
        return frozenset()
    return frozenset({reason.code}).union(*map(codes, reason.nested()))


def params(reason: Reason | None, code: str) -> dict[str, Param]:
    """The parameters of the part ``code`` of ``reason``. Raises: ``LookupError`` if it has no such part."""
    if reason is not None and reason.code == code:
        return dict(reason.params)
    for part in () if reason is None else reason.nested():
        if code in codes(part):
            return params(part, code)
    msg = f"{code} is none of {', '.join(sorted(codes(reason)))}"
    raise LookupError(msg)
