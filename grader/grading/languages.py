"""Languages that do not work on this machine: found out once a run, not once a submission."""

import threading
from collections.abc import Callable

from grader.errors import UserError
from grader.logs import Event, log
from grader.model.submission import Language


class LanguageUnavailableError(UserError):
    """Nothing in ``language`` can be built on this machine; other languages may work."""

    def __init__(self, language: Language, error: UserError) -> None:
        self.language = language
        super().__init__(error.problem, hint=error.hint)


class UnavailableLanguages:
    """The languages that failed in this run. Thread-safe."""

    def __init__(self, warn: Callable[[str], None]) -> None:
        """``warn`` receives one message for each language that fails."""
        self._warn = warn
        self._lock = threading.Lock()
        self._errors: dict[Language, LanguageUnavailableError] = {}

    def require(self, language: Language) -> None:
        """Raises: ``LanguageUnavailableError`` if ``language`` failed before."""
        with self._lock:
            error = self._errors.get(language)
        if error is not None:
            raise error

    def add(self, error: LanguageUnavailableError) -> None:
        """Keep ``error``, and warn unless its language failed before."""
        with self._lock:
            known = error.language in self._errors
            self._errors[error.language] = error
        if not known:
            log(Event.LANGUAGE_UNAVAILABLE, language=error.language, error=str(error))
            self._warn(str(error))
