"""Find a person by what a row of a gradebook says: by ids and addresses, never by the name."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from grader.lms.gradebooks.entry import Entry
from grader.lms.words import System


class Own(StrEnum):
    """What identifies a person besides the ids of systems: the id in the course, and the mail address."""

    STUDENT = "student"
    EMAIL = "email"


@dataclass(frozen=True, slots=True)
class Key:
    """One thing that identifies a person: the id in a system, in the course, or the address."""

    kind: System | Own
    value: str


class AmbiguousError(Exception):
    """The keys of one row lead to several people, ``who``."""

    def __init__(self, who: tuple[Entry, ...]) -> None:
        self.who = who
        super().__init__(", ".join(entry.label for entry in who))


class People:
    """The people with entries, by their keys."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._by_key: dict[Key, list[Entry]] = defaultdict(list)
        for entry in entries:
            for key in _keys(entry):
                self._by_key[key].append(entry)

    def find(self, keys: Iterable[Key]) -> Entry | None:
        """The person to whom ``keys`` lead, if any key does. A key of several people leads to nobody.

        Raises: ``AmbiguousError`` if keys lead to different people.
        """
        found = [self._by_key[_folded(key)] for key in keys if key.value and _folded(key) in self._by_key]
        certain = {entry.student: entry for listed in found if len(listed) == 1 for entry in listed}
        if len(certain) > 1:
            raise AmbiguousError(tuple(certain.values()))
        return next(iter(certain.values()), None)


def _keys(entry: Entry) -> set[Key]:
    own = {Key(Own.STUDENT, entry.student)}
    if entry.email:
        own.add(Key(Own.EMAIL, entry.email))
    listed = {Key(system, value) for system, values in entry.ids.items() for value in values}
    return {_folded(key) for key in own | listed}


def _folded(key: Key) -> Key:
    """``key`` as it is compared: logins and addresses regardless of case, ids with their leading zeros."""
    return Key(key.kind, key.value.strip().casefold())
