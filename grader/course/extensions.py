"""Extensions: staff give a student, a group or those with a label more time for a lab."""

from datetime import datetime

from grader.course.records import Records
from grader.course.staff import Staff, store
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.model.text import printable
from grader.store.rulings import Extension


def extend(  # noqa: PLR0913 - a decision and its parts
    workspace: Workspace, who: str, lab: str, staff: Staff, *, until: datetime | None = None, days: int = 0
) -> tuple[str, ...]:
    """Give ``who`` time for ``lab`` until a moment or some days more; neither withdraws what was given.

    ``who`` is a student, ``group:NAME`` or ``label:NAME``: then everybody who belongs to it now has the extension.
    Returns: the students. Raises: ``UserError`` for an unknown lab, or if nobody belongs to it.
    """
    workspace.registry.get(lab)
    if days < 0:
        msg = f"An extension of {days} days is none."
        raise UserError(msg, hint="Give 1 or more, or withdraw an extension with --withdraw.")
    with Records(workspace) as records:
        students = _students(records, who)
        for student in students:
            store(records, staff.decision(student, lab, None, Extension(until=until, days=days)), "extension")
    return students


def moment(text: str) -> datetime:
    """A date and time such as ``2026-06-18 23:59``; a date alone is its last minute, a time has this machine's zone.

    Raises: ``UserError`` for another text.
    """
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError as error:
        msg = f"--until {printable(text)} is not a date."
        raise UserError(
            msg, hint='Write "2026-06-18 23:59", or 2026-06-18 for the end of that day.'
        ) from error
    if ":" not in text:
        found = found.replace(hour=23, minute=59)
    return found if found.tzinfo is not None else found.astimezone()


def _students(records: Records, who: str) -> tuple[str, ...]:
    kind, _, name = who.partition(":")
    if kind not in {"group", "label"} or not name:
        return (who,)
    people = records.store.people.list()
    found = tuple(each.id for each in people if name in (each.groups if kind == "group" else each.labels))
    if not found:
        msg = f"Nobody has the {kind} {printable(name)}."
        raise UserError(msg, hint="Read the roster with `grader course roster`.")
    return found
