"""Why something is as it is: a code with parameters, which ``grader.messages`` renders for a person."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Union

from grader.model.location import SourceLocation

Item = Union[str, int, float, "Reason"]
"""An item of a list of parameters."""

Param = Item | tuple[Item, ...] | None
"""The value of a parameter: text, a number, another reason, or a list of them; ``None`` renders as nothing."""

AS_WRITTEN = "as-written"

_MAX_NUMBER = 2**63 - 1
"""The largest integer that every encoding of a reason can hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One statement of the catalogue (``docs/reference/reasons.md``).

    ``code`` is stable: programs decide by it and never by rendered text. ``params`` are the values in the statement,
    ``location`` is its source line. ``case`` is the test case that the statement reveals, if it reveals one; a reason
    in ``params`` may reveal another.
    """

    code: str
    params: Mapping[str, Param] = field(default_factory=dict)
    location: SourceLocation | None = None
    case: str | None = None

    def __hash__(self) -> int:
        return hash((self.code, tuple(sorted(self.params)), self.location, self.case))

    def nested(self) -> tuple["Reason", ...]:
        """The reasons among the parameters, in order."""
        listed = (value if isinstance(value, tuple) else (value,) for value in self.params.values())
        return tuple(each for values in listed for each in values if isinstance(each, Reason))

    def cases(self) -> frozenset[str]:
        """The cases that this reason and those in it reveal."""
        own = frozenset() if self.case is None else frozenset({self.case})
        return own.union(*(each.cases() for each in self.nested()))


def reason(
    code: str, /, *, location: SourceLocation | None = None, case: str | None = None, **params: Param
) -> Reason:
    """The statement ``code`` of the catalogue with these parameters."""
    return Reason(code=code, params=params, location=location, case=case)


def first_of(items: Sequence[Item], most: int) -> tuple[Item, ...]:
    """The first ``most`` of ``items`` as a parameter, with the number of the others as its last item."""
    others = len(items) - most
    return (*items[:most], *([reason("more-items", count=others)] if others > 0 else []))


def plural_of(amount: float) -> int:
    """The whole number with the plural form of ``amount``; a fraction has that of 2."""
    return int(amount) if float(amount).is_integer() else 2


def bounded(number: int) -> int:
    """``number`` as a parameter: a product of sizes that a student chose may exceed every encoding."""
    return min(number, _MAX_NUMBER)


def as_written(text: str) -> Reason:
    """Text that no catalogue has: a compiler's own message, a worker's own words, a record of an older release."""
    return reason(AS_WRITTEN, text=text)
