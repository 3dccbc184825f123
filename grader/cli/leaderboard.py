"""``grader leaderboard``: the fastest accepted submissions."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import out, terminal
from grader.cli.lazy_group import command_app
from grader.cli.paths import relative, require_distinct
from grader.course.boards import standings, verified
from grader.course.language import spoken
from grader.course.workspace import open_workspace
from grader.model.reason import reason
from grader.report import public_leaderboard
from grader.report.terminal.overview import leaderboards, verification
from grader.report.terminal.review import flagged_list

EXAMPLE = "Example: `grader leaderboard transpose`"

_DIFFERS = 1

_TOP = 10
"""Rows of each board where all labs are listed."""


def leaderboard(
    lab: Annotated[str | None, typer.Argument(metavar="[LAB]", help="One lab (default: all).")] = None,
    *,
    top: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, help=f"Show the N fastest (default: all of one lab, {_TOP} of each)."
        ),
    ] = None,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the leaderboard as JSON, to publish.")
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write the leaderboard as an HTML page, to publish."),
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Compute every speedup again from its stored samples.")
    ] = False,
) -> int:
    """Show the fastest submissions: one board per lab version, language, device, and modelled or measured times.

    Files have all rows and the nicknames that students chose; the terminal also shows their own names.
    """
    require_distinct(json=json, html=html)
    workspace = open_workspace()
    shown = terminal(workspace.config)
    found = standings(workspace, lab)
    most = top or (_TOP if lab is None else None)
    out.print(leaderboards(found.boards, found.public_name, shown.speech, most=most))
    if most and any(len(board.entries) > most for board in found.boards):
        shown.note(reason("see-whole-board", command="`grader leaderboard LAB`"))
    if found.flagged:
        out.print(flagged_list(found.flagged, shown.speech))
        shown.note(reason("decide-with", command="`grader review STUDENT LAB`"))
    if found.left_out:
        shown.note(reason("left-out", count=found.left_out))
    found_again = verified(workspace, lab) if verify else ()
    if verify:
        out.print(verification(found_again, shown.speech))
    if json is not None:
        public_leaderboard.write_json(json, found.published())
        shown.note(reason("written", file=relative(json)))
    if html is not None:
        language = spoken(None, workspace.config, terminal=False).language
        public_leaderboard.write_html(html, found.published(), language)
        shown.note(reason("written", file=relative(html)))
    return 0 if all(check.matches for check in found_again) else _DIFFERS


app = command_app(leaderboard, EXAMPLE)
