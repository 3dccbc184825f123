"""What a reason says in English, for tests and benchmarks."""

from grader.messages import render
from grader.model.reason import Reason


def english(reason: Reason | None) -> str:
    """``reason`` in English; empty for none."""
    return "" if reason is None else render(reason)
