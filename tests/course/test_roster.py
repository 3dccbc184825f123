"""Importing a roster: by id and never by name, twice without a change, from several systems into one."""

import pytest

from grader.course.roster import Change, Import, merge
from grader.lms.rosters import read_roster
from grader.store.people import IdSystem, Person, PersonId


def imported(text: str, *known: Person) -> Import:
    return merge(known, read_roster(text.encode()))


def people(done: Import) -> list[Person]:
    return [each.person for each in done.enrolled]


MOODLE = """Identifier,Full name,ID number,Email address,Group,Grade
Participant 12345,Ada Example,0042,a@e.edu,team 1,
"""
CANVAS = 'Student,ID,SIS User ID,SIS Login ID,Section\n"Example, Ada",55,0042,ada01,A\n'
GITHUB = "identifier,github_username,github_id,name\n0042,ada-gh,9,\n"


def test_a_second_import_changes_nothing() -> None:
    first = imported(MOODLE)
    assert [each.change for each in first.enrolled] == [Change.ADDED]
    again = imported(MOODLE, *people(first))
    assert [each.change for each in again.enrolled] == [Change.SAME]
    assert people(again) == people(first)


def test_lists_of_several_systems_meet_in_one_person() -> None:
    found: list[Person] = []
    for text in (MOODLE, CANVAS, GITHUB):
        found = people(imported(text, *found))
    (ada,) = found
    assert (ada.id, ada.email, ada.section, ada.groups) == ("0042", "a@e.edu", "A", ("team 1",))
    assert {(each.system, each.value) for each in ada.ids} == {
        (IdSystem.MOODLE, "12345"),
        (IdSystem.CANVAS, "55"),
        (IdSystem.CANVAS, "ada01"),
        (IdSystem.GITHUB, "ada-gh"),
    }


def test_equal_names_and_leading_zeros_are_different_people() -> None:
    found = people(imported("id,name\n007,Ada\n7,Ada\n"))
    assert [(each.id, each.name) for each in found] == [("007", "Ada"), ("7", "Ada")]


def test_a_name_alone_matches_nobody() -> None:
    known = Person(id="0042", name="Ada Example")
    done = imported("id,name\n0043,Ada Example\n", known)
    assert [(each.person.id, each.change) for each in done.enrolled] == [("0043", Change.ADDED)]
    assert done.absent == ("0042",)


def test_an_address_matches_where_no_id_does() -> None:
    known = Person(id="0042", email="A@e.edu")
    done = imported("First name,Last name,Email address\nAda,Example,a@E.edu\n", known)
    assert [(each.person.id, each.person.name) for each in done.enrolled] == [("0042", "Ada Example")]


def test_what_a_list_does_not_say_stays() -> None:
    known = Person(id="0042", name="Ada", section="A", groups=("g",), labels=("l",), language="ru")
    (after,) = people(imported("id,email\n0042,a@e.edu\n", known))
    assert after == Person(
        id="0042", name="Ada", email="a@e.edu", section="A", groups=("g",), labels=("l",), language="ru"
    )


def test_groups_are_those_of_the_newest_list() -> None:
    known = Person(id="0042", groups=("old",))
    (after,) = people(imported("id,groups\n0042,new\n", known))
    assert after.groups == ("new",)


def test_several_rows_of_one_person_add_up() -> None:
    (after,) = people(imported("id,name,groups\n0042,Ada,a\n0042,Ada,b\n"))
    assert after.groups == ("a", "b")


@pytest.mark.parametrize(
    ("text", "known", "code"),
    [
        ("id,name\n0042,Ada\n0042,Bo\n", (), "roster-twice"),
        (
            "id,moodle\n0042,12345\n",
            (Person(id="0042"), Person(id="7", ids=(PersonId(system=IdSystem.MOODLE, value="12345"),))),
            "roster-ambiguous",
        ),
        ("id,email\n8,a@e.edu\n", (Person(id="7", email="a@e.edu"),), "roster-other-id"),
        (
            "id,moodle\n8,12345\n",
            (Person(id="7", ids=(PersonId(system=IdSystem.MOODLE, value="12345"),)),),
            "roster-other-id",
        ),
    ],
)
def test_ids_that_contradict_each_other_leave_the_row_out(
    text: str, known: tuple[Person, ...], code: str
) -> None:
    done = imported(text, *known)
    assert [note.code for note in done.notes] == [code]
    assert all(each.person.name != "Bo" for each in done.enrolled)


def test_a_person_without_an_id_of_the_school_has_their_address() -> None:
    (after,) = people(imported("Identifier,Full name,Email address,Grade\nParticipant 5,Ada,a@e.edu,\n"))
    assert after.id == "a@e.edu"


def test_invisible_characters_are_no_part_of_an_id() -> None:
    (after,) = people(imported("id,name\n\u200b0042\u00a0,Ada\n"))
    assert after.id == "0042"


def test_a_list_with_ids_of_the_school_meets_people_known_by_address() -> None:
    (known,) = people(imported("Identifier,Full name,Email address,Grade\nParticipant 5,Ada,a@e.edu,\n"))
    (after,) = people(imported("id,email\n0042,a@e.edu\n", known))
    assert after == known
