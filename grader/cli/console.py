"""Output: results to standard output, messages to standard error."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from grader.config import Config
from grader.course.language import spoken
from grader.messages import ENGLISH, Speech
from grader.model.reason import Reason
from grader.report.text import safe_text

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def log_line(line: str) -> None:
    """Print a line of the log, above the progress bar if there is one."""
    err.print(Text(line), soft_wrap=True)


def print_error(message: str) -> None:
    """Print the one line of an error that ends the command."""
    err.print(Text.assemble(("grader: ", "bold red"), safe_text(message)), soft_wrap=True)


@dataclass(frozen=True, slots=True)
class Terminal:
    """A ``Notifier`` on standard error, in the language of ``speech``."""

    speech: Speech = ENGLISH

    def note(self, said: Reason) -> None:
        """Print a remark."""
        err.print(Text(safe_text(self.speech(said)), style="dim"), soft_wrap=True)

    def warn(self, said: Reason) -> None:
        """Print a warning: the command goes on."""
        head = (f"{self.speech.word('warning')}: ", "yellow")
        err.print(Text.assemble(head, safe_text(self.speech(said))), soft_wrap=True)

    @contextmanager
    def status(self, said: Reason) -> Iterator[Callable[[Reason], None]]:
        """Context manager: show ``said`` beside a spinner; what it gives replaces it."""
        with err.status(self._line(said)) as shown:
            yield lambda changed: shown.update(self._line(changed))

    def _line(self, said: Reason) -> Text:
        return Text(safe_text(self.speech(said)))


def terminal(config: Config, choice: str | None = None, *, student: str = "") -> Terminal:
    """A terminal that speaks the language ``choice``, or that of ``student``, the course or the user."""
    return Terminal(spoken(choice, config, student=student))
