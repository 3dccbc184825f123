"""``grader backup``: everything that is stored, in one file."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.lazy_group import command_app
from grader.cli.paths import relative
from grader.config import load
from grader.course import storage
from grader.model.reason import reason

EXAMPLE = "Example: `grader backup week3.backup`"


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write; it must not exist.")],
) -> None:
    """Write all submissions, results and decisions to FILE. Graders may go on while it runs."""
    config = load()
    content = storage.backup(config, file)
    terminal(config).note(reason("backup-holds", file=relative(file), content=content.in_words))


app = command_app(backup, EXAMPLE)
