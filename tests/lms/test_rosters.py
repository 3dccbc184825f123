"""Lists of people of every system: ids are text, names never decide, and what is left out is named."""

import pytest

from grader.errors import UserError
from grader.lms.rosters import RosterRow, read_roster
from grader.lms.words import System

ADA = "Ада Пример"
CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section
,,,,Manual Posting
    Points Possible,,,,
"Example, Ada",55,0042,ada01,A
"Student, Test",99,,x,A
"""


def rows(text: str, column: str | None = None) -> tuple[RosterRow, ...]:
    return read_roster(text.encode(), column=column).rows


@pytest.mark.parametrize(
    ("text", "system", "own", "issued"),
    [
        (
            "Identifier,Full name,ID number,Email address,Group,Grade\nParticipant 12345,Ada,0042,a@e.edu,team 1,\n",
            System.MOODLE,
            ("0042",),
            ((System.MOODLE, "12345"),),
        ),
        (
            "First name,Last name,ID number,Email address,Groups\nAda,Example,0042,a@e.edu,team 1\n",
            System.MOODLE,
            ("0042",),
            (),
        ),
        (
            "Идентификатор;Полное имя;Адрес электронной почты;Группа;Оценка\nУчастник 77;Ада;a@e.edu;team 1;\n",
            System.MOODLE,
            (),
            ((System.MOODLE, "77"),),
        ),
        (
            CANVAS,
            System.CANVAS,
            ("0042", "ada01"),
            ((System.CANVAS, "55"), (System.CANVAS, "ada01")),
        ),
        (
            "First Name,Last Name,SID,Email,Total Score\nAda,Example,0042,a@e.edu,\n",
            System.GRADESCOPE,
            ("0042",),
            ((System.GRADESCOPE, "0042"),),
        ),
        (
            "Last Name\tFirst Name\tUsername\tStudent ID\tAvailability\nExample\tAda\ts0042\t0042\tYes\n",
            System.BLACKBOARD,
            ("0042", "s0042"),
            ((System.BLACKBOARD, "s0042"),),
        ),
        (
            "OrgDefinedId,Username,Last Name,First Name,Email,End-of-Line Indicator\n#0042,#ada,E,Ada,a@e.edu,#\n",
            System.BRIGHTSPACE,
            ("0042", "ada"),
            ((System.BRIGHTSPACE, "0042"), (System.BRIGHTSPACE, "ada")),
        ),
        (
            "identifier,github_username,github_id,name\n0042,ada-gh,9,Ada\n",
            System.GITHUB,
            ("0042",),
            ((System.GITHUB, "ada-gh"),),
        ),
        (
            "id,name,email,moodle\n0042,Ada,a@e.edu,12345\n",
            System.PLAIN,
            ("0042",),
            ((System.MOODLE, "12345"),),
        ),
        ("学号,姓名,邮箱\n0042,艾达,a@e.edu\n", System.PLAIN, ("0042",), ()),
    ],
)
def test_each_system_s_list_is_known(
    text: str, system: System, own: tuple[str, ...], issued: tuple[tuple[System, str], ...]
) -> None:
    found = read_roster(text.encode())
    (row,) = found.rows
    assert (found.system, row.own, row.issued, found.notes) == (system, own, issued, ())
    assert row.name


PLAIN = (
    f"id;name;email;section;groups;labels;language\n0042;{ADA};a@e.edu;A;team 1|team 2;extra time;Русский\n"
)


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
def test_any_unicode_encoding_is_found(codec: str) -> None:
    (row,) = read_roster(PLAIN.encode(codec)).rows
    assert row == RosterRow(
        line=2,
        own=("0042",),
        issued=(),
        name=ADA,
        email="a@e.edu",
        section="A",
        language="ru",
        groups=("team 1", "team 2"),
        labels=("extra time",),
    )


def test_another_encoding_is_asked_for_unless_its_headers_are_known() -> None:
    data = PLAIN.encode("cp1251")
    with pytest.raises(UserError, match="--encoding"):
        read_roster(data)
    assert read_roster(data, codec="cp1251").rows[0].name == ADA
    known = "Номер;ФИО\n0042;Ада\n".encode("cp1251")
    assert read_roster(known).rows[0].name == "Ада"


def test_rows_that_identify_nobody_are_named() -> None:
    found = read_roster(b"id,name,email\n,Ada,\n1.2E+11,Bo,\n7,Cyd,\n")
    assert [row.own for row in found.rows] == [("7",)]
    assert [(note.code, note.params["line"]) for note in found.notes] == [
        ("roster-without-id", 2),
        ("roster-rounded", 3),
    ]


def test_an_unknown_language_is_said_and_left_out() -> None:
    found = read_roster(b"id,language\n7,tlh\n")
    assert (found.rows[0].language, [note.code for note in found.notes]) == ("", ["roster-language"])


def test_what_a_spreadsheet_writes_around_an_id_is_dropped() -> None:
    assert rows('id,name\n"=""0042""",Ada\n')[0].own == ("0042",)


def test_the_user_may_choose_the_column_of_ids() -> None:
    text = "Matrikel,Login\n0042,ada\n"
    assert rows(text, column="Matrikel")[0].own == ("0042",)
    with pytest.raises(UserError, match="'Matrikel', 'Login'"):
        rows(text, column="Nr")
    with pytest.raises(UserError, match="--id"):
        rows("Matrikel,Vorname\n0042,ada\n")


def test_a_spreadsheet_is_no_list() -> None:
    with pytest.raises(UserError, match="CSV"):
        read_roster(b"PK\x03\x04 and more")


@pytest.mark.parametrize(
    ("text", "name", "role"),
    [
        (
            "First Name,Last Name,SID,Email,Role\nAda,Example,7,a@e.edu,Student\nBo,B,,b@e.edu,TA\n",
            "Bo B",
            "TA",
        ),
        ("id;имя;роль\n7;Ада;студент\n8;Бо;Преподаватель\n", "Бо", "Преподаватель"),
        ("学号,姓名,角色\n7,安,学生\n8,王伟,助教\n", "王伟", "助教"),
    ],
)
def test_staff_in_a_list_are_no_students(text: str, name: str, role: str) -> None:
    found = read_roster(text.encode())
    assert [row.own for row in found.rows] == [("7",)]
    assert [(note.code, note.params) for note in found.notes] == [
        ("roster-staff", {"line": 3, "name": name, "role": role})
    ]


@pytest.mark.parametrize("header", ["moodle", "Moodle ID", "moodle_id"])
def test_a_column_of_a_systems_ids_has_several_names(header: str) -> None:
    (row,) = rows(f"id,{header}\n7,12345\n")
    assert row.issued == ((System.MOODLE, "12345"),)


def test_columns_that_are_not_read_are_named() -> None:
    found = read_roster("логин;имя;почта;телефон\nada;Ада;a@e.edu;5\n".encode("cp1251"))
    assert [(note.code, note.params) for note in found.notes] == [
        ("roster-unread", {"headers": ("телефон",)})
    ]
    assert [(row.own, row.email) for row in found.rows] == [(("ada",), "a@e.edu")]


def test_an_empty_file_is_called_empty() -> None:
    with pytest.raises(UserError, match="empty"):
        read_roster(b"")
