"""One statement of the catalogue, in English."""

import string
from collections.abc import Mapping
from dataclasses import dataclass

from grader.model.reason import Param, Reason

_TYPES: dict[str, tuple[type, ...]] = {
    "": (str, int, float, Reason, tuple),
    "and": (tuple,),
    "or": (tuple,),
    "word": (str,),
    "moment": (str,),
}
"""What a field may show, by its format; every other format is one of numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """An English template, and another for numbers other than 1.

    Fields have the syntax of ``str.format``: ``{ratio:.2f}``, ``{count:,}``. ``{location}`` and ``{case}`` are those of
    the reason. A list takes ``{names}`` (commas), ``{names:and}`` or ``{names:or}``; ``{verdict:word}`` translates a
    word of the catalogue, and ``{due:moment}`` shows an ISO 8601 time as a day and a time of the clock. ``by`` names
    the parameter that decides between ``text`` and ``many``.
    """

    text: str
    many: str = ""
    by: str = ""

    def accepts(self, params: Mapping[str, Param]) -> bool:
        """Whether ``params`` are the parameters of the message, each of a type that its fields can show."""
        if params.keys() != self.params or (self.by and not isinstance(params[self.by], int)):
            return False
        shown = (field for template in (self.text, self.many) for field in string.Formatter().parse(template))
        return all(
            isinstance(params[name], _TYPES.get(spec or "", (int, float)))
            for _, name, spec, _ in shown
            if name is not None and name in params
        )

    @property
    def fields(self) -> frozenset[str]:
        """The names of the fields of both templates."""
        found = (name for template in (self.text, self.many) for name in fields_of(template))
        return frozenset(found)

    @property
    def params(self) -> frozenset[str]:
        """The names of the parameters that a reason needs."""
        return (self.fields | {self.by}) - {"location", "case", ""}


def fields_of(template: str) -> tuple[str, ...]:
    """The names of the fields of ``template``, in order."""
    return tuple(name for _, name, _, _ in string.Formatter().parse(template) if name is not None)


def message(text: str) -> Message:
    """A message with one form."""
    return Message(text=text)


def plural(by: str, one: str, many: str) -> Message:
    """A message with a form for ``by`` = 1, ``one``, and a form for other numbers, ``many``."""
    return Message(text=one, many=many, by=by)
