"""How a service says what it does while it works; a terminal prints it, another caller may log it."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from grader.model.reason import Reason


class Notifier(Protocol):
    """Receives remarks, warnings and the state of a long step, as statements."""

    def note(self, said: Reason) -> None:
        """A remark."""

    def warn(self, said: Reason) -> None:
        """A warning: the service goes on."""

    def status(self, said: Reason) -> AbstractContextManager[Callable[[Reason], None]]:
        """Context manager: a long step is in progress. What it gives replaces the statement."""


class Silence:
    """A ``Notifier`` that drops everything."""

    def note(self, said: Reason) -> None:
        """See ``Notifier.note``."""

    def warn(self, said: Reason) -> None:
        """See ``Notifier.warn``."""

    @contextmanager
    def status(self, said: Reason) -> Iterator[Callable[[Reason], None]]:
        """See ``Notifier.status``."""
        del said
        yield lambda _: None


SILENT: Notifier = Silence()
"""For callers that want only the result."""
