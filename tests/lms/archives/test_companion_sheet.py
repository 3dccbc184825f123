"""Moodle's worksheet gives what its zip leaves out: addresses, members of groups, times."""

from datetime import datetime
from pathlib import Path

import pytest

from grader.errors import UserError
from grader.lms.archives.companion_sheet import completed, read_companion
from grader.lms.archives.received import Received, TimeSource
from tests.lms.archives.builders import BERLIN, KERNEL, read, zipped

ENGLISH = (
    'Identifier,"Full name","ID number","Email address",Status,Group,Grade,"Maximum grade",'
    '"Grade can be changed","Last modified (submission)","Last modified (grade)","Feedback comments"\n'
    '"Participant 12345","Ada Example",0042,ada@example.edu,Submitted,"Team 1","","100,00",Yes,'
    '"Wednesday, 10 June 2026, 2:14 PM",-,""\n'
    '"Participant 12346","李波",0043,bo@example.edu,Submitted,"Team 1","","100,00",Yes,"-",-,""\n'
)
GERMAN = (
    '\ufeffID;"Vollständiger Name";"E-Mail-Adresse";Status;Bewertung;Bestwertung;"Bewertung kann geändert werden";'
    '"Zuletzt geändert (Abgabe)";"Zuletzt geändert (Bewertung)";"Feedback als Kommentar"\n'
    'Teilnehmer/in12345;"Ada Example";ada@example.edu;Abgegeben;;100,00;Ja;"Mittwoch, 10. Juni 2026, 14:14";-;\n'
)
FOLDER = "Participant_12345_assignsubmission_file"


def complete(tmp_path: Path, folder: str, sheet: str) -> Received:
    found = read(zipped(tmp_path / "m.zip", {f"{folder}/a.cu": KERNEL}))
    (only,) = found.received
    return completed(only, read_companion(sheet.encode(), BERLIN))


@pytest.mark.parametrize("sheet", [ENGLISH, GERMAN], ids=["en", "de"])
def test_a_blind_participant_gets_a_name_an_address_and_a_time(sheet: str, tmp_path: Path) -> None:
    only = complete(tmp_path, FOLDER, sheet)
    (submitter,) = only.submitters
    assert (submitter.name, submitter.email) == ("Ada Example", "ada@example.edu")
    assert (only.submitted_at, only.time_source) == (
        datetime(2026, 6, 10, 14, 14, tzinfo=BERLIN),
        TimeSource.LOCAL,
    )


def test_the_schools_own_number_is_another_id(tmp_path: Path) -> None:
    assert [each.value for each in complete(tmp_path, FOLDER, ENGLISH).submitters[0].ids] == ["12345", "0042"]


@pytest.mark.parametrize("folder", ["Team 1_77_assignsubmission_file", "Team 1_assignsubmission_file"])
def test_a_teams_members_are_those_of_the_sheet(folder: str, tmp_path: Path) -> None:
    only = complete(tmp_path, folder, ENGLISH)
    assert [each.name for each in only.submitters] == ["Ada Example", "李波"]
    assert only.group == "Team 1"


def test_a_team_without_a_group_is_everybody_without_one(tmp_path: Path) -> None:
    sheet = ENGLISH.replace('Submitted,"Team 1"', 'Submitted,""', 1)
    only = complete(tmp_path, "Default group_assignsubmission_file", sheet)
    assert [each.name for each in only.submitters] == ["Ada Example"]


def test_a_participant_whom_the_sheet_lacks_stays(tmp_path: Path) -> None:
    only = complete(tmp_path, "Cy Example_9_assignsubmission_file", ENGLISH)
    assert (only.submitters[0].name, only.time_source) == ("Cy Example", TimeSource.FILE)


def test_a_sheet_without_ids_is_one_line() -> None:
    with pytest.raises(UserError, match="column"):
        read_companion(b"a,b\n1,2\n", BERLIN)
