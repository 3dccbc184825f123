"""``grader course roster``: import the people of a course, or list them."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.imported_roster import print_import, print_people
from grader.cli.lazy_group import command_app
from grader.course.roster import RosterRequest, import_roster, people
from grader.course.workspace import open_workspace
from grader.lms.words import System
from grader.model.reason import reason

EXAMPLE = "Example: `grader course roster participants.csv --dry-run`"


def roster(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A list of participants or a gradebook, as CSV.")
    ] = None,
    *,
    system: Annotated[
        System | None, typer.Option(help="The system that wrote the file (default: by its headers).")
    ] = None,
    id_column: Annotated[
        str | None, typer.Option("--id", metavar="HEADER", help="The column with the ids of your course.")
    ] = None,
    encoding: Annotated[
        str | None, typer.Option(metavar="NAME", help="The encoding, such as cp1251 or gb18030.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Store nothing; show what would change.")
    ] = False,
) -> None:
    """Add the people of FILE to the roster, or list the roster. People are matched by id, never by name."""
    workspace = open_workspace()
    shown = terminal(workspace.config)
    if file is None:
        found = people(workspace)
        print_people(((each, "") for each in found), shown.speech)
        shown.note(reason("roster-size", count=len(found)))
        return
    done = import_roster(
        workspace,
        RosterRequest(file=file, system=system, column=id_column, codec=encoding, dry_run=dry_run),
    )
    print_import(done, shown, dry_run=dry_run)


app = command_app(roster, EXAMPLE)
