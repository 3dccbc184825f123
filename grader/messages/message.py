"""One statement of the catalogue, in English."""

import string
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """An English template, and another for numbers other than 1.

    Fields have the syntax of ``str.format``: ``{ratio:.2f}``, ``{count:,}``. ``{location}`` and ``{case}`` are those of
    the reason. A list takes ``{names}`` (commas), ``{names:and}`` or ``{names:or}``; ``{verdict:word}`` translates a
    word of the catalogue. ``by`` names the parameter that decides between ``text`` and ``many``.
    """

    text: str
    many: str = ""
    by: str = ""

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
