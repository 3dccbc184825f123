"""Choose the language of a report: the reader's choice, the student's, the course's, or the terminal's."""

import os
from collections.abc import Mapping
from enum import StrEnum

from grader.config.settings import Config
from grader.messages import LANGUAGES, Speech


class ReportLanguage(StrEnum):
    """The languages of reports, for the choices of an option; those of ``grader.messages.LANGUAGES``."""

    ENGLISH = "en"
    RUSSIAN = "ru"
    CHINESE = "zh"


_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The first of these that is set decides, as for every program (POSIX)."""


def for_reader(choice: str | None, config: Config, student: str, own: str) -> str:
    """The language of what ``student`` reads: ``choice``, that in the settings, the roster's ``own``, the course's."""
    chosen = choice or config.results.languages.get(student) or (own if own in LANGUAGES else None)
    return spoken(chosen, config, student=student, terminal=False).language


def spoken(
    choice: str | None,
    config: Config,
    environ: Mapping[str, str] = os.environ,
    *,
    student: str = "",
    terminal: bool = True,
) -> Speech:
    """``choice``, or else what ``student`` chose, the course's language, or in a terminal the user's.

    English if none is given or known.
    """
    chosen = choice or config.results.languages.get(student) or config.results.language
    return Speech(chosen or (_of_terminal(environ) if terminal else "en"))


def _of_terminal(environ: Mapping[str, str]) -> str:
    value = next((environ[name] for name in _VARIABLES if environ.get(name)), "")
    code = value.partition(".")[0].partition("_")[0].lower()
    return code if code in LANGUAGES else "en"
