"""``grader restore``: fill an empty store from a backup."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import note
from grader.cli.lazy_group import command_app
from grader.config import load
from grader.course import storage

EXAMPLE = "Example: `grader restore week3.backup`"


def restore(file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of `grader backup`.")]) -> None:
    """Fill the store from FILE. The store must be empty; it may be another kind of database than before."""
    content = storage.restore(load(), file)
    note(
        f"Restored {content.submissions} submissions, {content.scores} results and {content.decisions} decisions "
        f"of {content.created_at}."
    )


app = command_app(restore, EXAMPLE)
