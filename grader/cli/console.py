"""The two places text goes: results to standard output, everything about them to standard error."""

from rich.console import Console
from rich.text import Text

from grader.report.text import safe_text

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def note(message: str) -> None:
    """Something worth knowing, beside the results."""
    err.print(Text(safe_text(message), style="dim"), soft_wrap=True)


def warn(message: str) -> None:
    """Something was skipped or is not as good as it could be."""
    err.print(Text.assemble(("warning: ", "yellow"), safe_text(message)), soft_wrap=True)


def print_error(message: str) -> None:
    """The one line before exit code 2."""
    err.print(Text.assemble(("grader: ", "bold red"), safe_text(message)), soft_wrap=True)
