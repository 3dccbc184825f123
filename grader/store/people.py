"""The people of a course: values, and a roster in a relational database."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Table, delete, select, true

from grader.store.course_tables import MEMBERSHIPS, PEOPLE, PERSON_IDS, MembershipKind
from grader.store.database import Database
from grader.store.events import log
from grader.store.values import Event, EventKind


class IdSystem(StrEnum):
    """The systems that know a person by an id of their own."""

    MOODLE = "moodle"
    CANVAS = "canvas"
    GRADESCOPE = "gradescope"
    BLACKBOARD = "blackboard"
    BRIGHTSPACE = "brightspace"
    GITHUB = "github"
    LTI = "lti"


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonId:
    """The id of a person in another system: text, because leading zeros count."""

    system: IdSystem
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A student of the course. ``id`` is the ``student`` of their submissions.

    ``language`` is that of reports for this person; empty: that of the course. ``groups`` submit together; ``labels``
    are what staff attach, such as ``extra time``. Groups, labels and ids are sorted, without repetition.
    """

    id: str
    name: str = ""
    email: str = ""
    section: str = ""
    language: str = ""
    groups: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    ids: tuple[PersonId, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "groups", tuple(sorted(set(self.groups))))
        object.__setattr__(self, "labels", tuple(sorted(set(self.labels))))
        object.__setattr__(self, "ids", tuple(sorted(set(self.ids), key=_by_system)))


def _by_system(each: PersonId) -> tuple[str, str]:
    return each.system, each.value


class SqlPeople:
    """``People`` over SQLAlchemy."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put_all(self, people: Collection[Person]) -> None:
        """See ``People.put_all``."""
        with self._database.write() as connection:
            known = {each.id: each for each in _read(connection)}
            changed = [each for each in people if known.get(each.id) != each]
            _refuse_shared_ids(known | {each.id: each for each in changed})
            for each in changed:
                connection.execute(delete(PEOPLE).where(PEOPLE.c.id == each.id))
            for each in changed:
                _insert(connection, each)
                detail = "changed" if each.id in known else "added"
                log(
                    connection,
                    Event(kind=EventKind.ENROLLED, at=datetime.now(UTC), student=each.id, detail=detail),
                )

    def find(self, id: str) -> Person | None:  # noqa: A002 - the field's name
        """See ``People.find``."""
        with self._database.read() as connection:
            return next(iter(_read(connection, id)), None)

    def list(self) -> tuple[Person, ...]:
        """See ``People.list``."""
        with self._database.read() as connection:
            return _read(connection)

    def by_id(self, system: IdSystem) -> Mapping[str, Person]:
        """See ``People.by_id``."""
        return {own.value: each for each in self.list() for own in each.ids if own.system is system}


def _refuse_shared_ids(people: Mapping[str, Person]) -> None:
    """Raises: ``ValueError`` if two people have one id of one system."""
    owners: dict[PersonId, str] = {}
    for each in people.values():
        for own in each.ids:
            owner = owners.setdefault(own, each.id)
            if owner != each.id:
                msg = f"{owner} and {each.id} have the same id of {own.system}: {own.value}"
                raise ValueError(msg)


def _insert(connection: Connection, person: Person) -> None:
    own = ("id", "name", "email", "section", "language")
    connection.execute(PEOPLE.insert().values({name: getattr(person, name) for name in own}))
    ids = [{"person": person.id, "system": each.system, "value": each.value} for each in person.ids]
    memberships = [
        {"person": person.id, "kind": kind, "name": name}
        for kind, names in ((MembershipKind.GROUP, person.groups), (MembershipKind.LABEL, person.labels))
        for name in names
    ]
    for table, rows in ((PERSON_IDS, ids), (MEMBERSHIPS, memberships)):
        if rows:
            connection.execute(table.insert(), rows)


def _read(connection: Connection, id: str | None = None) -> tuple[Person, ...]:  # noqa: A002 - the field's name
    """Everybody, or the person ``id``; by id."""

    def rows(table: Table, key: str) -> list[Row[Any]]:
        wanted: ColumnElement[bool] = true() if id is None else table.c[key] == id
        return list(connection.execute(select(table).where(wanted)))

    ids: dict[str, list[PersonId]] = defaultdict(list)
    for row in rows(PERSON_IDS, "person"):
        ids[row.person].append(PersonId(system=IdSystem(row.system), value=row.value))
    memberships: dict[tuple[str, MembershipKind], list[str]] = defaultdict(list)
    for row in rows(MEMBERSHIPS, "person"):
        memberships[row.person, row.kind].append(row.name)
    found = [
        Person(
            id=row.id,
            name=row.name,
            email=row.email,
            section=row.section,
            language=row.language,
            groups=tuple(memberships[row.id, MembershipKind.GROUP]),
            labels=tuple(memberships[row.id, MembershipKind.LABEL]),
            ids=tuple(ids[row.id]),
        )
        for row in rows(PEOPLE, "id")
    ]
    # Databases order text by rules of their own.
    return tuple(sorted(found, key=lambda each: each.id))
