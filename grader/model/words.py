"""Words that installed packages may add to: keys of languages and engines."""

import re
from enum import StrEnum
from typing import Self

_WORD = re.compile(r"[a-z][a-z0-9-]{0,31}")


class OpenWord(StrEnum):
    """An enumeration of the words that Grader knows; every other word of the same form is valid too.

    So a document that names a package's language can be read where that package is not installed. Compare words with
    ``==``: only members are one object each.
    """

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        if not isinstance(value, str) or not _WORD.fullmatch(value):
            return None
        word = str.__new__(cls, value)
        word._name_ = value
        word._value_ = value
        return word
