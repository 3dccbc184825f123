"""``grader course roster``: import the people of a course, or list them."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from grader.cli.console import Terminal, out, terminal
from grader.cli.lazy_group import command_app
from grader.course.roster import Change, Import, PersonView, RosterRequest, import_roster, people
from grader.course.workspace import open_workspace
from grader.lms.words import System
from grader.messages import Speech
from grader.model.reason import first_of, reason
from grader.report.terminal.overview import plain_table
from grader.report.text import safe_name

EXAMPLE = "Example: `grader course roster participants.csv --dry-run`"

_COLUMNS = ("column-student", "column-name", "column-email", "column-section", "column-groups", "column-ids")
_CHANGES = {Change.ADDED: "roster-added", Change.CHANGED: "roster-changed", Change.SAME: "roster-same"}
_SHOWN = 10
"""The most absent students that are named."""


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
        _print(((each, "") for each in found), shown.speech)
        shown.note(reason("roster-size", count=len(found)))
        return
    done = import_roster(
        workspace,
        RosterRequest(file=file, system=system, column=id_column, codec=encoding, dry_run=dry_run),
    )
    news = [each for each in done.enrolled if each.change is not Change.SAME]
    _print(((each.view, shown.speech.says(_CHANGES[each.change])) for each in news), shown.speech)
    _summarise(done, shown, dry_run=dry_run)


def _summarise(done: Import, shown: Terminal, *, dry_run: bool) -> None:
    for note in done.notes:
        shown.warn(note)
    if done.absent:
        shown.note(reason("roster-absent", count=len(done.absent), people=first_of(done.absent, _SHOWN)))
    shown.note(
        reason(
            "roster-would-import" if dry_run else "roster-imported",
            system=done.system.label,
            added=done.count(Change.ADDED),
            changed=done.count(Change.CHANGED),
            same=done.count(Change.SAME),
        )
    )


def _print(listed: Iterable[tuple[PersonView, str]], speech: Speech) -> None:
    table = plain_table()
    rows = list(listed)
    if not rows:
        return
    for code in _COLUMNS:
        table.add_column(speech.says(code), overflow="fold")
    table.add_column("")
    for person, change in rows:
        cells = (
            *(person.id, person.name, person.email, person.section),
            *(", ".join(person.memberships), ", ".join(person.ids)),
        )
        table.add_row(*(Text(safe_name(cell)) for cell in cells), change)
    out.print(table)


app = command_app(roster, EXAMPLE)
