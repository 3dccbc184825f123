"""Lines that say why results are scored or graded again."""

from collections.abc import Iterable, Iterator

from grader.course.causes import Cause, Caused

_SHOWN_PARTS = 4


def cause_lines(caused: Iterable[Caused], done: str) -> Iterator[str]:
    """One line for each cause: ``row-sum: 300 rescored, its speed changed``; ``done`` says what happens."""
    for each in caused:
        yield f"{each.why.lab}: {each.count} {done}, {_text(each)}"


def _text(caused: Caused) -> str:
    cause, parts = caused.why.cause, caused.why.parts
    if cause is Cause.NO_LAB:
        return "there is no lab of this name"
    if cause is Cause.TOOLS:
        return "Grader, its compilers or its limits changed"
    if not parts:
        return "its points changed" if cause is Cause.RUBRIC else "the lab changed"
    more = f" and {len(parts) - _SHOWN_PARTS} more" if len(parts) > _SHOWN_PARTS else ""
    return f"its {', '.join(part.replace('.', ' ') for part in parts[:_SHOWN_PARTS])}{more} changed"
