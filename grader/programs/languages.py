"""The languages of whole programs."""

from pathlib import Path

from grader.programs.cpp import Cpp
from grader.programs.language import ProgramLanguage
from grader.programs.python.program import Numba

_LANGUAGES: tuple[ProgramLanguage, ...] = (Numba(), Cpp())


def language_of(path: Path) -> ProgramLanguage:
    """The first language that takes ``path``."""
    return next(language for language in _LANGUAGES if language.takes(path))
