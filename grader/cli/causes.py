"""Why results are scored or graded again, in statements."""

from collections.abc import Iterable, Iterator

from grader.course.causes import Cause, Caused, Why
from grader.model.reason import Reason, first_of, reason

_SHOWN_PARTS = 4

_WITHOUT_PARTS = {
    Cause.NO_LAB: "cause-no-lab",
    Cause.TOOLS: "cause-tools",
    Cause.RUBRIC: "cause-rubric",
    Cause.LAB_CODE: "cause-lab",
}


def rescored(caused: Iterable[Caused]) -> Iterator[Reason]:
    """For each cause: ``row-sum: 300 rescored, its speed changed``."""
    for each in caused:
        yield reason("rescored", lab=each.why.lab, count=each.count, why=_why(each.why))


def would_be_rescored(caused: Iterable[Caused]) -> Iterator[Reason]:
    """For each cause: ``row-sum: 300 would be rescored, its speed changed``."""
    for each in caused:
        yield reason("would-be-rescored", lab=each.why.lab, count=each.count, why=_why(each.why))


def to_grade_again(caused: Iterable[Caused]) -> Iterator[Reason]:
    """For each cause: ``row-sum: 300 to grade again, its cases changed``."""
    for each in caused:
        yield reason("to-grade-again", lab=each.why.lab, count=each.count, why=_why(each.why))


def _why(why: Why) -> Reason:
    if not why.parts:
        return reason(_WITHOUT_PARTS[why.cause])
    parts = tuple(part.replace(".", " ") for part in why.parts)
    return reason("cause-parts", parts=first_of(parts, _SHOWN_PARTS))
