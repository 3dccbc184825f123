"""The languages that kernels are written in: what the rest of Grader knows of one, and which are installed."""

from grader.languages.port import LanguageSupport
from grader.languages.registry import (
    DEFAULT,
    by_suffix,
    file_kinds,
    installed,
    languages_of,
    of_file,
    reference,
    support,
)

__all__ = [
    "DEFAULT",
    "LanguageSupport",
    "by_suffix",
    "file_kinds",
    "installed",
    "languages_of",
    "of_file",
    "reference",
    "support",
]
