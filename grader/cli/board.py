"""``grader board``: the public leaderboards on the server of a course."""

from typing import Annotated

import typer

from grader.cli.console import out, terminal
from grader.cli.course_server import logged_in
from grader.cli.lazy_group import command_app
from grader.course.workspace import open_workspace
from grader.model.reason import reason
from grader.report.terminal.overview import leaderboards

EXAMPLE = "Example: `grader board transpose`"

_TOP = 10
"""Rows of each board where all labs are listed."""


def board(
    lab: Annotated[str | None, typer.Argument(metavar="[LAB]", help="One lab (default: all).")] = None,
) -> None:
    """Show the leaderboards of your course as its server publishes them, with public names."""
    shown = terminal(open_workspace().config)
    server = logged_in(shown)
    labs = [lab] if lab is not None else [each.name for each in server.labs().labs]
    most = _TOP if lab is None else None
    boards = [each for name in labs for each in server.board(name).boards]
    out.print(leaderboards(boards, speech=shown.speech, most=most))
    if most and any(len(each.entries) > most for each in boards):
        shown.note(reason("see-whole-board", command="`grader board LAB`"))


app = command_app(board, EXAMPLE)
