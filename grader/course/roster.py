"""The roster: import the people of a course, who are matched by ids and never by a name alone."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Self

from grader.course.records import Records
from grader.course.select import require_exists
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.intake.names import student_name
from grader.lms.rosters import RosterFile, RosterRow, read_roster
from grader.lms.words import System
from grader.model.reason import Reason, reason
from grader.model.text import printable
from grader.store.people import IdSystem, Person, PersonId


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterRequest:
    """What to import. ``None``: found out. ``column`` is the header of the ids; ``dry_run``: store nothing."""

    file: Path
    system: System | None = None
    column: str | None = None
    codec: str | None = None
    dry_run: bool = False


class Change(StrEnum):
    """What an import does to a person."""

    ADDED = "added"
    CHANGED = "changed"
    SAME = "same"


CHANGE_CODES = {
    Change.ADDED: "roster-added",
    Change.CHANGED: "roster-changed",
    Change.SAME: "roster-same",
}
"""The statement that names each change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonView:
    """A person as a list shows them: ``memberships`` are groups and labels, ``ids`` those of other systems."""

    id: str
    name: str
    email: str
    section: str
    memberships: tuple[str, ...]
    ids: tuple[str, ...]

    @classmethod
    def of(cls, person: Person) -> Self:
        """The view of ``person``."""
        return cls(
            id=person.id,
            name=person.name,
            email=person.email,
            section=person.section,
            memberships=(*person.groups, *person.labels),
            ids=tuple(f"{each.system} {each.value}" for each in person.ids),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Enrolled:
    """A person of the list as they are after the import; ``line`` is theirs in the file."""

    line: int
    person: Person
    change: Change

    @property
    def view(self) -> PersonView:
        """The person as a list shows them."""
        return PersonView.of(self.person)


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """What an import did, or would do. ``absent`` are the ids of those in the roster who are not in the list."""

    system: System
    enrolled: tuple[Enrolled, ...]
    absent: tuple[str, ...]
    notes: tuple[Reason, ...]

    def count(self, change: Change) -> int:
        """How many people it does this to."""
        return sum(each.change is change for each in self.enrolled)


def people(workspace: Workspace) -> tuple[PersonView, ...]:
    """The roster, by id."""
    with Records(workspace) as records:
        return tuple(map(PersonView.of, records.store.people.list()))


def import_roster(workspace: Workspace, request: RosterRequest) -> Import:
    """Add the people of a list to the roster. What a list does not say about a person stays as it is.

    Raises: ``UserError`` for a file that cannot be read.
    """
    read = _read(request)
    with Records(workspace) as records:
        known = records.store.people.list()
        merged = merge(known, read)
        if not request.dry_run:
            records.store.people.put_all(
                [each.person for each in merged.enrolled if each.change is not Change.SAME]
            )
        return merged


def merge(known: Iterable[Person], read: RosterFile) -> Import:
    """The roster ``known`` after the list that was ``read``."""
    before = {each.id: each for each in known}
    roster = _Roster(before)
    for row in read.rows:
        roster.take(row)
    enrolled = tuple(
        Enrolled(line=line, person=roster.people[name], change=_change(before.get(name), roster.people[name]))
        for name, line in roster.lines.items()
    )
    return Import(
        system=read.system,
        enrolled=enrolled,
        absent=tuple(name for name in before if name not in roster.lines),
        notes=(*read.notes, *roster.notes),
    )


class _Roster:
    """The people so far, by everything that identifies one of them."""

    def __init__(self, known: Mapping[str, Person]) -> None:
        self.people = dict(known)
        self.lines: dict[str, int] = {}
        self.notes: list[Reason] = []
        self._by_key: dict[tuple[str, str], set[str]] = defaultdict(set)
        for person in known.values():
            self._index(person)

    def take(self, row: RosterRow) -> None:
        """Add the person of ``row``, or what it says about a known one; a note says why not."""
        issued = tuple(PersonId(system=IdSystem(system.value), value=value) for system, value in row.issued)
        found = self._find(row, issued)
        if len(found) > 1:
            self.notes.append(reason("roster-ambiguous", line=row.line, people=tuple(sorted(found))))
            return
        name = next(iter(found), None) or _new_id(row)
        if name in found and _has_another_id(self.people[name], row, issued):
            self.notes.append(reason("roster-other-id", line=row.line, known=name, id=row.own[0]))
            return
        person = self.people.get(name, Person(id=name))
        if name in self.lines and row.name and person.name and row.name != person.name:
            self.notes.append(
                reason("roster-twice", line=row.line, id=name, first=self.lines[name], name=person.name)
            )
            return
        self.people[name] = _merged(person, row, issued, again=name in self.lines)
        self.lines.setdefault(name, row.line)
        self._index(self.people[name])

    def _find(self, row: RosterRow, issued: Sequence[PersonId]) -> set[str]:
        """Whom the surest key of ``row`` that leads to anybody means."""
        certain: set[str] = set()
        for key in [*(("", _folded(each)) for each in row.own), *map(_key, issued)]:
            certain |= self._by_key.get(key, set())
        if certain or not row.email:
            return certain
        return self._by_key.get(("@", _folded(row.email)), set())

    def _index(self, person: Person) -> None:
        keys = [("", _folded(person.id)), *map(_key, person.ids)]
        if person.email:
            keys.append(("@", _folded(person.email)))
        for key in keys:
            self._by_key[key].add(person.id)


def _has_another_id(person: Person, row: RosterRow, issued: Sequence[PersonId]) -> bool:
    """Whether the school gave ``person`` an id, and the row has another one from it."""
    substitutes = {person.email, *(each.value for each in (*person.ids, *issued))}
    return bool(row.own) and person.id not in substitutes and _folded(person.id) not in map(_folded, row.own)


def _key(each: PersonId) -> tuple[str, str]:
    return each.system, _folded(each.value)


def _folded(text: str) -> str:
    """``text`` as ids are compared: regardless of case, with every leading zero."""
    return student_name(text).casefold()


def _new_id(row: RosterRow) -> str:
    """The id of a person who is new: what the school gave, else an address, else what the system gave."""
    candidates = (*row.own, row.email, *(value for _, value in row.issued))
    return next(name for each in candidates if (name := student_name(each)))


def _merged(person: Person, row: RosterRow, issued: Sequence[PersonId], *, again: bool) -> Person:
    """``person`` with what ``row`` says. Groups are those of the list; of several rows of a person, all of theirs."""
    groups = (*person.groups, *row.groups) if again else row.groups or person.groups
    return replace(
        person,
        name=row.name or person.name,
        email=row.email or person.email,
        section=row.section or person.section,
        language=row.language or person.language,
        groups=groups,
        labels=(*person.labels, *row.labels),
        ids=(*person.ids, *issued),
    )


def _change(before: Person | None, after: Person) -> Change:
    if before is None:
        return Change.ADDED
    return Change.SAME if before == after else Change.CHANGED


def _read(request: RosterRequest) -> RosterFile:
    path = require_exists(request.file)
    try:
        data = path.read_bytes()
    except OSError as error:
        msg = f"{printable(str(path))} cannot be read: {error.strerror}."
        raise UserError(msg) from error
    return read_roster(data, system=request.system, column=request.column, codec=request.codec)
