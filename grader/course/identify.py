"""Who in the roster an archive means: by id, by e-mail address, by the name of a group, never by a person's name."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from grader.intake.names import shown, student_name
from grader.lms.archives.received import OWN, Received, Submitter
from grader.model.reason import Reason, reason
from grader.report.quantities import NOTHING
from grader.store.people import Person


@dataclass(frozen=True, slots=True, kw_only=True)
class Identified:
    """The ids of the students who submitted, the group if it was one, and why others are unknown."""

    students: tuple[str, ...]
    group: str = ""
    unknown: tuple[Reason, ...] = ()


class Roster:
    """The people of a course by everything that an archive may name them by. Case does not count in any of it."""

    def __init__(
        self, people: Collection[Person], groups: Mapping[str, Collection[str]] | None = None
    ) -> None:
        """``groups`` are members by group, besides those that the roster has."""
        self.people = tuple(people)
        self._by_id: dict[tuple[str, str], Person] = {}
        self._by_email: dict[str, list[Person]] = defaultdict(list)
        self._by_name: dict[str, list[Person]] = defaultdict(list)
        self._groups: dict[str, set[str]] = defaultdict(set)
        for person in people:
            self._by_id[OWN, person.id.casefold()] = person
            self._by_id |= {(each.system, each.value.casefold()): person for each in person.ids}
            self._by_email[person.email.casefold()].append(person)
            self._by_name[_letters(person.name)].append(person)
            for group in person.groups:
                self._groups[_joined(group)].add(person.id)
        for group, members in (groups or {}).items():
            self._groups[_joined(group)].update(members)

    def group(self, name: str) -> tuple[str, ...]:
        """The members of the group ``name``; systems drop blanks and signs of it."""
        return tuple(sorted(self._groups.get(_joined(name), ())))

    def candidates(self, submitter: Submitter) -> list[Person]:
        """Whom ``submitter`` means: one person if the surest id or an e-mail address says so."""
        found = [self._by_id.get((each.system, each.value.casefold())) for each in submitter.ids]
        if found and found[0] is not None:
            return [found[0]]
        persons = {person.id: person for person in found if person is not None}
        if not persons and submitter.email:
            persons = {person.id: person for person in self._by_email.get(submitter.email.casefold(), ())}
        return [persons[id_] for id_ in sorted(persons)]

    def namesakes(self, name: str) -> tuple[str, ...]:
        """The ids of the people of this name, in any order of its words."""
        return tuple(person.id for person in self._by_name.get(_letters(name), ())) if name else ()


def identify(received: Received, roster: Roster) -> Identified:
    """The students who submitted ``received``. Without a roster each has the id by which the archive names them."""
    if not roster.people:
        return _unlisted(received)
    if not received.submitters or _is_group(received, roster):
        name = received.group or received.submitters[0].name
        members = roster.group(name)
        stranger = () if members else (reason("group-unknown", group=name),)
        return Identified(students=members, group=name, unknown=stranger)
    students: list[str] = []
    unknown: list[Reason] = []
    for submitter in received.submitters:
        found = roster.candidates(submitter)
        if len(found) == 1:
            students.append(found[0].id)
        else:
            unknown.append(_why_unknown(submitter, found, roster))
    return Identified(students=tuple(dict.fromkeys(students)), group=received.group, unknown=tuple(unknown))


def _is_group(received: Received, roster: Roster) -> bool:
    """Whether one name stands for a group: groups have numbers of their own, which may be those of other people."""
    if len(received.submitters) != 1 or not roster.group(received.submitters[0].name):
        return False
    (submitter,) = received.submitters
    return all(_letters(person.name) != _letters(submitter.name) for person in roster.candidates(submitter))


def _unlisted(received: Received) -> Identified:
    names = list(_own_names(received))
    unknown = () if names else (reason("person-without-id", path=received.path),)
    return Identified(students=tuple(dict.fromkeys(names)), group=received.group, unknown=unknown)


def _own_names(received: Received) -> Iterator[str]:
    for submitter in received.submitters:
        spelled = submitter.ids[0].value if submitter.ids else submitter.email
        if name := student_name(spelled):
            yield name
    if not received.submitters and (name := student_name(received.group)):
        yield name


def _why_unknown(submitter: Submitter, found: Collection[Person], roster: Roster) -> Reason:
    id_ = next((each for each in submitter.ids), None)
    shown_id = id_.value if id_ else submitter.email
    if found:
        several = shown(person.id for person in found)
        return reason("person-ambiguous", id=shown_id, name=submitter.name, people=several)
    column = id_.system if id_ and id_.system != OWN else "id"
    namesakes = roster.namesakes(submitter.name)
    if namesakes:
        return reason(
            "person-known-by-name", id=shown_id, name=submitter.name, people=shown(namesakes), column=column
        )
    name, email = submitter.name or NOTHING, submitter.email or NOTHING
    return reason("person-unknown", id=shown_id, name=name, email=email, column=column)


def _letters(name: str) -> str:
    """The letters of ``name`` in the order of the alphabet: systems drop blanks and put the family name first."""
    return "".join(sorted(char for char in name.casefold() if char.isalnum()))


def _joined(name: str) -> str:
    """``name`` without what systems drop of it."""
    return "".join(char for char in name.casefold() if char.isalnum())
