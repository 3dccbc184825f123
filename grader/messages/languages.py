"""The languages of reports: their translations, numbers and lists."""

import functools
import gettext
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

LANGUAGES = {"en": "English", "ru": "Русский", "zh": "中文"}
"""Code and own name of each language."""

FOLDER = Path(__file__).parent / "locale"
"""``FOLDER/ru/LC_MESSAGES`` has a file for each table, and its compiled form; English is in the code."""

_LIST_WORDS = {
    "en": {"": (", ", ", "), "and": (", ", " and "), "or": (", ", " or ")},
    "ru": {"": (", ", ", "), "and": (", ", " и "), "or": (", ", " или ")},
    "zh": {"": ("、", "、"), "and": ("、", "和"), "or": ("、", "或")},
}
"""By language and kind of list: the separator, and the separator before the last item."""

_MOMENTS = {"en": "EEE d MMM HH:mm", "ru": "EEE, d MMM, HH:mm", "zh": "M月d日EEE HH:mm"}
"""By language: a day with its weekday, and the time on the clock, as Unicode's patterns write it."""

_COLONS = {"zh": "："}  # noqa: RUF001 - the colon of Chinese
"""What stands between a label and its text, where that is not ``": "``."""


@dataclass(frozen=True, slots=True)
class Translation:
    """The translated templates of one language."""

    language: str
    catalogue: gettext.NullTranslations

    def template(self, code: str, text: str) -> str:
        """The translation of ``text``, which is the message ``code``."""
        return self.catalogue.pgettext(code, text)

    def plural_template(self, code: str, one: str, many: str, number: int) -> str:
        """The translation in the form for ``number``."""
        return self.catalogue.npgettext(code, one, many, number)

    def number(self, value: float, spec: str) -> str:
        """``value`` formatted by Python's ``spec``, with the language's own separators."""
        text = format(value, spec)
        return text if self.language == "en" else "".join(map(self.separator, text))

    def separator(self, character: str) -> str:
        """The language's own decimal point or thousands separator in place of the English one."""
        decimal, group = _separators(self.language)
        return {".": decimal, ",": group}.get(character, character)

    def moment(self, iso: str) -> str:
        """A time such as ``2026-06-18T23:59+02:00`` on its own clock; other text is returned unchanged."""
        from babel.dates import format_datetime  # noqa: PLC0415 - slow to load, and most texts have no time

        try:
            when = datetime.fromisoformat(iso)
        except ValueError:
            return iso
        # Without a zone, so that no other clock is asked.
        return format_datetime(when.replace(tzinfo=None), _MOMENTS[self.language], locale=self.language)

    @property
    def colon(self) -> str:
        """What stands between a label and its text."""
        return _COLONS.get(self.language, ": ")

    def joined(self, items: Sequence[str], kind: str) -> str:
        """``items`` as a list in words."""
        separator, last = _LIST_WORDS[self.language][kind]
        return last.join(filter(None, [separator.join(items[:-1]), *items[-1:]]))


@functools.cache
def translation(language: str) -> Translation:
    """The translation to ``language``. Raises: ``ValueError`` for a language that is not in ``LANGUAGES``."""
    if language not in LANGUAGES:
        msg = f"{language} is none of {', '.join(LANGUAGES)}"
        raise ValueError(msg)
    if language == "en":
        return Translation(language, gettext.NullTranslations())
    compiled = sorted((FOLDER / language / "LC_MESSAGES").glob("*.mo"))
    catalogue = gettext.NullTranslations()
    for path in compiled:
        with path.open("rb") as stream:
            table = gettext.GNUTranslations(stream)
        table.add_fallback(catalogue)
        catalogue = table
    return Translation(language, catalogue)


@functools.cache
def _separators(language: str) -> tuple[str, str]:
    from babel import numbers  # noqa: PLC0415 - slow to load, and English does not need it

    return numbers.get_decimal_symbol(language), numbers.get_group_symbol(language)
