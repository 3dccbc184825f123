"""One language to speak: a renderer that a report passes along."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from grader.messages.languages import translation
from grader.messages.rendering import render, word
from grader.model.reason import Param, Reason

_SEPARATOR = re.compile(r"(?<=\d)[.,](?=\d)")
_INTERVAL = re.compile(r"(\[[\d.]+), ([\d.]+\])")


@dataclass(frozen=True, slots=True)
class Speech:
    """Texts in ``language``."""

    language: str = "en"

    def __call__(self, said: Reason) -> str:
        """``said`` as text."""
        return render(said, self.language)

    def says(self, code: str, /, case: Param = None, **params: Param) -> str:
        """The statement ``code`` as text; ``case`` is that of a ``Reason``, which is no parameter."""
        return render(
            Reason(code=code, params=params, case=None if case is None else str(case)), self.language
        )

    def word(self, value: str) -> str:
        """A word of the catalogue, such as a verdict."""
        return word(value, self.language)

    @property
    def colon(self) -> str:
        """What stands between a label and its text, with its space."""
        return translation(self.language).colon

    def joined(self, items: Sequence[str]) -> str:
        """``items`` as a list in one line."""
        return translation(self.language).joined(items, "")

    def figure(self, text: str) -> str:
        """A figure in English, such as ``1.93 ms`` or ``[3.88, 3.97]``, with the separators of the language."""
        if self.language == "en":
            return text
        words = translation(self.language)
        if words.separator(".") == ",":
            text = _INTERVAL.sub(r"\1; \2", text)
        return _SEPARATOR.sub(lambda found: words.separator(found[0]), text)


ENGLISH = Speech()
