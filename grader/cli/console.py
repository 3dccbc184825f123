"""Output: results to standard output, messages to standard error."""

from rich.console import Console
from rich.text import Text

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
