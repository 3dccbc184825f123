"""How a service says what it does while it works; a terminal prints it, another caller may log it."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol


class Notifier(Protocol):
    """Receives remarks, warnings and the state of a long step, as plain text."""

    def note(self, message: str) -> None:
        """A remark."""

    def warn(self, message: str) -> None:
        """A warning: the service goes on."""

    def status(self, message: str) -> AbstractContextManager[Callable[[str], None]]:
        """Context manager: a long step is in progress. What it gives replaces the message."""


class Silence:
    """A ``Notifier`` that drops everything."""

    def note(self, message: str) -> None:
        """See ``Notifier.note``."""

    def warn(self, message: str) -> None:
        """See ``Notifier.warn``."""

    @contextmanager
    def status(self, message: str) -> Iterator[Callable[[str], None]]:
        """See ``Notifier.status``."""
        del message
        yield lambda _: None


SILENT: Notifier = Silence()
"""For callers that want only the result."""
