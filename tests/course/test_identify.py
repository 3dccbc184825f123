"""People are matched by id and by e-mail address, groups by their name, and nobody by name alone."""

import pytest

from grader.course.identify import Roster, identify
from grader.lms.archives.received import OWN, ExternalId, Received, Submitter
from grader.store.people import IdSystem, Person, PersonId

ADA = Person(
    id="ada01",
    name="Ada Example",
    email="Ada@example.edu",
    groups=("Team Rocket",),
    ids=(PersonId(system=IdSystem.MOODLE, value="12345"), PersonId(system=IdSystem.GITHUB, value="Ada-Ex")),
)
BO = Person(
    id="bo02", name="李波", groups=("Team Rocket",), ids=(PersonId(system=IdSystem.CANVAS, value="77"),)
)
WANG_1 = Person(id="w1", name="王伟")
WANG_2 = Person(id="w2", name="王伟")
ROSTER = Roster([ADA, BO, WANG_1, WANG_2], {"from the file": ["w1", "w2"]})


def received(*submitters: Submitter, group: str = "") -> Received:
    return Received(path="p", submitters=submitters, group=group, files=())


def by(system: str, *values: str, name: str = "", email: str = "") -> Received:
    ids = tuple(ExternalId(system=system, value=value) for value in values)
    return received(Submitter(ids=ids, name=name, email=email))


@pytest.mark.parametrize(
    ("what", "student"),
    [
        (by("moodle", "12345"), "ada01"),
        (by("moodle", "12345", name="Somebody Else"), "ada01"),
        (by("github", "ada-ex"), "ada01"),
        (by("github", "1", "row-sum-ada-ex", "sum-ada-ex", "ada-ex"), "ada01"),
        (by(OWN, "ADA01"), "ada01"),
        (by("gradescope", "9", email="ada@EXAMPLE.edu"), "ada01"),
        (by("moodle", "9", email="ada@example.edu", name="x"), "ada01"),
    ],
)
def test_an_id_or_an_address_is_enough(what: Received, student: str) -> None:
    assert identify(what, ROSTER).students == (student,)


def test_an_id_of_another_system_is_nobodys() -> None:
    assert identify(by("canvas", "12345"), ROSTER).students == ()


@pytest.mark.parametrize(("name", "people"), [("王伟", ("w1", "w2")), ("Example, Ada", ("ada01",))])
def test_a_name_alone_matches_nobody_and_names_all(name: str, people: tuple[str, ...]) -> None:
    found = identify(by("moodle", "9", name=name), ROSTER)
    assert found.students == ()
    (why,) = found.unknown
    assert why.code == "person-known-by-name"
    assert dict(why.params)["people"] == people
    assert dict(why.params)["column"] == "moodle"


def test_a_stranger_is_listed_with_what_to_write() -> None:
    (why,) = identify(by("canvas", "0042", name="Cy Example"), ROSTER).unknown
    assert why.code == "person-unknown"
    assert (dict(why.params)["id"], dict(why.params)["column"]) == ("0042", "canvas")


def test_candidates_of_two_people_are_refused_with_both() -> None:
    both = received(
        Submitter(
            ids=(
                ExternalId(system="x", value="0"),
                ExternalId(system=OWN, value="w1"),
                ExternalId(system=OWN, value="w2"),
            )
        )
    )
    (why,) = identify(both, ROSTER).unknown
    assert why.code == "person-ambiguous"
    assert dict(why.params)["people"] == ("w1", "w2")


@pytest.mark.parametrize(
    "what",
    [
        received(group="Team Rocket"),
        by("canvas", "501", name="teamrocket"),
        by("moodle", "501", name="Team Rocket"),
        # The number of the group is the id of a student.
        by("canvas", "77", name="teamrocket"),
    ],
    ids=["without a number", "canvas", "moodle", "equal number"],
)
def test_a_group_is_its_members(what: Received) -> None:
    found = identify(what, ROSTER)
    assert found.students == ("ada01", "bo02")
    assert found.group


def test_a_group_of_the_course_file_has_members_too() -> None:
    assert identify(received(group="From the File"), ROSTER).students == ("w1", "w2")


def test_a_listed_group_keeps_those_it_knows() -> None:
    ids = [
        Submitter(ids=(ExternalId(system=system, value=value),))
        for system, value in (("moodle", "12345"), ("x", "9"))
    ]
    found = identify(received(*ids, group="both"), ROSTER)
    assert (found.students, len(found.unknown)) == (("ada01",), 1)


def test_an_unknown_group_is_named() -> None:
    (why,) = identify(received(group="Default group"), ROSTER).unknown
    assert (why.code, dict(why.params)) == ("group-unknown", {"group": "Default group"})


def test_without_a_roster_the_systems_ids_stand() -> None:
    empty = Roster([])
    assert identify(by("moodle", "00123", name="Ada Example"), empty).students == ("00123",)
    assert identify(by("gradescope", email="ada@example.edu"), empty).students == ("ada@example.edu",)
    assert identify(received(group="Default group"), empty).students == ("Default group",)
    assert identify(received(Submitter()), empty).unknown[0].code == "person-without-id"
