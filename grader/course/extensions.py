"""Extensions: staff give a student, a group or those with a label more time for a lab."""

from grader.course.known_student import require_known
from grader.course.records import Records
from grader.course.rules import course_of, moment
from grader.course.staff import Staff, store
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.model.text import printable
from grader.policy.rules import Course, Scope
from grader.store.rulings import Extension


def extend(  # noqa: PLR0913 - a decision and its parts
    workspace: Workspace, who: str, lab: str, staff: Staff, *, until: str | None = None, days: int = 0
) -> tuple[str, ...]:
    """Give ``who`` time for ``lab`` ``until`` a moment or some days more; neither withdraws what was given.

    ``who`` is a student, ``group:NAME`` or ``label:NAME``: then everybody who belongs to it now has the extension.
    Returns: the students. Raises: ``UserError`` for an unknown lab or student, or if nobody belongs to it.
    """
    workspace.registry.get(lab)
    if days < 0:
        msg = f"An extension of {days} days is none."
        raise UserError(msg, hint="Give 1 or more, or withdraw an extension with --withdraw.")
    course = course_of(workspace)
    ruling = Extension(until=None if until is None else moment(course, "--until", until), days=days)
    with Records(workspace) as records:
        students = _students(records, course, who)
        if students == (who,) and (ruling.until is not None or ruling.days):
            require_known(records, who)
        for student in students:
            store(records, staff.decision(student, lab, None, ruling), "extension")
    return students


def _students(records: Records, course: Course, who: str) -> tuple[str, ...]:
    kind, _, name = who.partition(":")
    if kind not in {Scope.GROUP, Scope.LABEL} or not name:
        return (who,)
    named = {Scope.GROUP: course.groups, Scope.LABEL: course.labels}[Scope(kind)].get(name, ())
    people = [
        course.student(each.id, each.section, each.groups, each.labels)
        for each in records.store.people.list()
    ]
    found = {*named, *(each.id for each in people if each.is_in(Scope(kind), name))}
    if not found:
        msg = f"No person has the {kind} {printable(name)}."
        raise UserError(msg, hint="Read the roster with `grader course roster`.")
    return tuple(sorted(found))
