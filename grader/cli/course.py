"""``grader course``: the file of a course, its rules and its roster."""

from collections.abc import Mapping
from typing import ClassVar

import typer

from grader.cli.lazy_group import LazyGroup


class _Commands(LazyGroup):
    modules: ClassVar[Mapping[str, str]] = {
        "new": "grader.cli.course_new",
        "check": "grader.cli.course_check",
        "roster": "grader.cli.course_roster",
        "role": "grader.cli.course_role",
        "invite": "grader.cli.course_invite",
    }


app = typer.Typer(
    help="Write and check the rules of a course, read its roster, and say who may sign in.",
    cls=_Commands,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)


@app.callback()
def course() -> None:
    """Dates, late days, exceptions and people: what a course adds to grading."""
