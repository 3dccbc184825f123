"""``grader restore``: fill an empty store from a backup."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.lazy_group import command_app
from grader.config import load
from grader.course import storage
from grader.model.reason import reason
from grader.report.quantities import moment

EXAMPLE = "Example: `grader restore week3.backup`"


def restore(file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of `grader backup`.")]) -> None:
    """Fill the store from FILE. The store must be empty; it may be another kind of database than before."""
    config = load()
    content = storage.restore(config, file)
    said = reason("backup-restored", moment=moment(content.created_at), content=content.in_words)
    terminal(config).note(said)


app = command_app(restore, EXAMPLE)
