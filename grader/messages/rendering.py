"""Render a reason as text in a language."""

import string

from grader.messages.catalogue import CATALOGUE
from grader.messages.languages import Translation, translation
from grader.messages.message import Message
from grader.model.location import SourceLocation
from grader.model.reason import Param, Reason

_LIST_KINDS = {"", "and", "or"}
_WORD = "word"
_MOMENT = "moment"


def render(reason: Reason, language: str = "en") -> str:
    """``reason`` as one line of text in ``language``, without a full stop at its end.

    A statement of another release, with a code or parameters that the catalogue lacks, renders as those.
    Raises: ``ValueError`` for an unknown language.
    """
    words = translation(language)
    known = CATALOGUE.get(reason.code)
    if known is None or not known.params <= set(reason.params):
        shown = ", ".join(f"{name}={_value(value, '', words)}" for name, value in reason.params.items())
        return f"{reason.code} ({shown})" if shown else reason.code
    template = _template(reason, known, words)
    pieces = []
    for literal, name, spec, _ in string.Formatter().parse(template):
        pieces.append(literal)
        if name is not None:
            pieces.append(_field(reason, name, spec or "", words))
    return "".join(pieces)


def render_location(location: SourceLocation, language: str = "en") -> str:
    """A source line in words: ``row_sum.cu, line 12``; ``an unknown line`` where neither file nor line is known."""
    return _location(location, translation(language))


def word(value: str, language: str = "en") -> str:
    """A word of the catalogue, such as a verdict, in ``language``."""
    return _word(value, translation(language))


def _template(reason: Reason, known: Message, words: Translation) -> str:
    if not known.by:
        return words.template(reason.code, known.text)
    number = reason.params[known.by]
    if not isinstance(number, int):
        msg = f"{reason.code} counts {known.by}, which is {number!r}"
        raise TypeError(msg)
    return words.plural_template(reason.code, known.text, known.many, number)


def _field(reason: Reason, name: str, spec: str, words: Translation) -> str:
    if name == "location":
        return _location(reason.location or SourceLocation(), words)
    if name == "case":
        return reason.case or ""
    return _value(reason.params[name], spec, words)


def _value(value: Param, spec: str, words: Translation) -> str:
    match value:
        case None:
            return ""
        case Reason():
            return render(value, words.language)
        case tuple():
            return words.joined([_value(item, "", words) for item in value], spec)
        case str():
            if spec == _MOMENT:
                return words.moment(value)
            return _word(value, words) if spec == _WORD else str(value)
        case _:
            return words.number(value, spec)


def _word(value: str, words: Translation) -> str:
    return words.template(f"word:{value}", value)


def _location(location: SourceLocation, words: Translation) -> str:
    code = "location" if location.file else "location-line" if location.line else "location-unknown"
    if location.file and not location.line:
        return location.file
    template = words.template(code, CATALOGUE[code].text)
    return template.format(file=location.file, line=location.line)
