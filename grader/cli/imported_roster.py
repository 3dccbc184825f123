"""How a terminal shows the people of an import, and what it changed."""

from collections.abc import Iterable

from rich.text import Text

from grader.cli.console import Terminal, out
from grader.course.roster import CHANGE_CODES, Change, Import, PersonView
from grader.messages import Speech
from grader.model.reason import first_of, reason
from grader.report.terminal.overview import plain_table
from grader.report.text import safe_name

_COLUMNS = ("column-student", "column-name", "column-email", "column-section", "column-groups", "column-ids")
_SHOWN = 10
"""The most absent students that are named."""


def print_import(done: Import, shown: Terminal, *, dry_run: bool) -> None:
    """Show who is new or changed, and what an import did or with ``dry_run`` would do."""
    news = [each for each in done.enrolled if each.change is not Change.SAME]
    print_people(((each.view, shown.speech.says(CHANGE_CODES[each.change])) for each in news), shown.speech)
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


def print_people(listed: Iterable[tuple[PersonView, str]], speech: Speech) -> None:
    """Show people as a table, each with a word about their change."""
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
