"""``grader person``: what is stored about one person."""

from collections.abc import Mapping
from typing import ClassVar

import typer

from grader.cli.lazy_group import LazyGroup


class _Commands(LazyGroup):
    modules: ClassVar[Mapping[str, str]] = {
        "export": "grader.cli.person_export",
        "erase": "grader.cli.person_erase",
    }


app = typer.Typer(
    help="What is stored about one person: export it, or erase it.",
    cls=_Commands,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)


@app.callback(epilog="Example: `grader person export student-01 --output student-01.zip`")
def person() -> None:
    """Export or erase everything that is stored about one person."""
