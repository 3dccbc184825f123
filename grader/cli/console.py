"""Output: results to standard output, messages to standard error."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

from grader.course.notifier import Notifier
from grader.report.text import safe_text

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def note(message: str) -> None:
    """Print a remark."""
    err.print(Text(safe_text(message), style="dim"), soft_wrap=True)


def warn(message: str) -> None:
    """Print a warning: the command goes on."""
    err.print(Text.assemble(("warning: ", "yellow"), safe_text(message)), soft_wrap=True)


def log_line(line: str) -> None:
    """Print a line of the log, above the progress bar if there is one."""
    err.print(Text(line), soft_wrap=True)


def print_error(message: str) -> None:
    """Print the one line of an error that ends the command."""
    err.print(Text.assemble(("grader: ", "bold red"), safe_text(message)), soft_wrap=True)


class _Terminal:
    """A ``Notifier`` on standard error."""

    def note(self, message: str) -> None:
        note(message)

    def warn(self, message: str) -> None:
        warn(message)

    @contextmanager
    def status(self, message: str) -> Iterator[Callable[[str], None]]:
        with err.status(Text(safe_text(message))) as shown:
            yield lambda changed: shown.update(Text(safe_text(changed)))


TERMINAL: Notifier = _Terminal()
"""What services say, in the terminal."""
