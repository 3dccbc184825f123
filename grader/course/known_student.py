"""Refuse decisions about people whom nothing knows: a typing error must not become a student."""

from collections.abc import Collection

from grader.config.wording import nearest
from grader.course.records import Records
from grader.errors import UserError
from grader.model.text import printable
from grader.store.people import Person

_SHOWN = 5
"""The most people that a message names."""


def require_known(records: Records, student: str) -> None:
    """Check that ``student`` is in the roster or has submitted; without a roster anybody may be a student.

    Raises: ``UserError``.
    """
    store = records.store
    people = store.people.list()
    if not people or any(each.id == student for each in people):
        return
    if not store.attempts.list(student=student) and not store.submissions.list(student=student):
        raise unknown_student(student, people)


def unknown_student(name: str, people: Collection[Person]) -> UserError:
    """With the ids of those with this name: a name alone matches nobody."""
    same = [printable(each.id) for each in people if name.casefold() in each.name.casefold()]
    problem = f"The roster has no student {printable(name)}."
    if same:
        return UserError(problem, hint=f"Students are named by their id: {', '.join(same[:_SHOWN])}.")
    near = nearest(name, [each.id for each in people])
    return UserError(
        problem,
        hint=f"Did you mean {printable(near)}?" if near else "See the ids with `grader course roster`.",
    )
