"""``grader feedback --moodle``: a zip that Moodle takes back, with the right feedback for each participant."""

import zipfile
from pathlib import Path

import pytest

from grader.cli.app import run
from grader.config import load
from grader.store.people import IdSystem, Person, PersonId
from grader.store.sql_store import open_store
from tests.report.examples import kernel, report
from tests.store.examples import put_score, submission

WORKSHEET = (
    "Идентификатор,Полное имя,Группа,Оценка,Последнее изменение (оценка)\n"
    "Участник12345,Ada Example,Team_7,,-\nУчастник12346,Юлия Ёлкина,Team_7,,-\n"
)
PEOPLE = {"ada": ("Ada Example", "12345", ""), "yulia": ("Юлия Ёлкина", "12346", "ru")}


@pytest.fixture(autouse=True)
def _stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = open_store(load())
    for student, (name, number, language) in PEOPLE.items():
        own = (PersonId(system=IdSystem.MOODLE, value=number),)
        store.people.put_all([Person(id=student, name=name, ids=own, language=language, groups=("Team 7",))])
        put_score(store, submission(student, "row-sum"), report(student, "row-sum", kernel("row_sum")))
    store.close()


def download(*names: str) -> Path:
    """A zip as Moodle gives it out."""
    with zipfile.ZipFile("submissions.zip", "w") as archive:
        for name in names:
            archive.writestr(name, "__global__ void row_sum() {}")
    return Path("submissions.zip")


def uploaded(path: Path) -> dict[tuple[int, str], str]:
    """The feedback files by participant and name, as Moodle's importer reads the paths of a zip."""
    found = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            parts = name.split("/")
            while parts:
                info = parts.pop(0).split("_", 4)
                if len(info) >= 4 and info[1].isdigit() and info[2:4] == ["assignsubmission", "file"]:
                    rest = "/".join([*info[4:], *parts]).lstrip("/")
                    found[int(info[1]), rest] = archive.read(name).decode()
                    break
            else:
                pytest.fail(f"Moodle would skip {name}")
    return found


@pytest.mark.parametrize(
    "names",
    [
        ("Ada Example_12345_assignsubmission_file/a.cu", "Юлия Ёлкина_12346_assignsubmission_file/src/b.cu"),
        ("Ada Example_12345_assignsubmission_file_a.cu", "Юлия Ёлкина_12346_assignsubmission_file_b.cu"),
        ("Ada Example_12345_assignsubmission_file_/a.cu", "Участник_12346_assignsubmission_file_/b.cu"),
    ],
    ids=["folders", "flat", "older"],
)
def test_moodle_finds_each_participant_in_their_language(names: tuple[str, ...]) -> None:
    arguments = ["feedback", "--moodle", str(download(*names)), "--lab", "row-sum", "--out", "back.zip"]
    assert run(arguments) == 0
    found = uploaded(Path("back.zip"))
    assert {name for _, name in found} == {"row-sum-feedback.html", "row-sum-feedback.txt"}
    assert len(found) == 4
    assert 'lang="en"' in found[12345, "row-sum-feedback.html"]
    assert 'lang="ru"' in found[12346, "row-sum-feedback.html"]
    assert "yulia" not in found[12345, "row-sum-feedback.txt"]
    folders = {name.rpartition("_assign")[0] for name in names}
    with zipfile.ZipFile("back.zip") as archive:
        assert {name.rpartition("_assign")[0] for name in archive.namelist()} == folders


def test_an_unpacked_download_works_as_well(tmp_path: Path) -> None:
    folder = tmp_path / "unpacked" / "Ada Example_12345_assignsubmission_file"
    folder.mkdir(parents=True)
    (folder / "a.cu").write_text("x")
    arguments = ["--moodle", str(tmp_path / "unpacked"), "--lab", "row-sum", "--out", "back.zip"]
    assert run(["feedback", *arguments]) == 0
    assert {number for number, _ in uploaded(Path("back.zip"))} == {12345}


def test_a_team_gets_no_feedback_of_a_participant_with_its_number(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("Team 7_12345_assignsubmission_file/a.cu", "Юлия Ёлкина_12346_assignsubmission_file/b.cu")
    arguments = ["--moodle", str(download(*names)), "--lab", "row-sum", "--out", "back.zip"]
    assert run(["feedback", *arguments]) == 0
    assert {number for number, _ in uploaded(Path("back.zip"))} == {12346}
    said = capsys.readouterr().err
    assert "Team 7" in said
    assert "worksheet" in said


def test_the_worksheet_gives_every_member_of_a_team_a_folder() -> None:
    Path("worksheet.csv").write_text(WORKSHEET, encoding="utf-8")
    assert run(["feedback", "--moodle", "worksheet.csv", "--lab", "row-sum", "--out", "back.zip"]) == 0
    assert {number for number, _ in uploaded(Path("back.zip"))} == {12345, 12346}


def test_strangers_are_named_and_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("Ada Example_12345_assignsubmission_file/a.cu", "Ada Example_999_assignsubmission_file/a.cu")
    arguments = ["--moodle", str(download(*names)), "--lab", "row-sum", "--out", "back.zip"]
    assert run(["feedback", *arguments]) == 0
    assert {number for number, _ in uploaded(Path("back.zip"))} == {12345}
    assert "yulia" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "back.zip"], "--lab"),
        (["--out", "back.zip", "--lab", "row-sum", "--student", "ada"], "no student"),
        (["--out", "submissions.zip", "--lab", "row-sum"], "--overwrite"),
        (["--out", "back.zip", "--lab", "transpose"], "No result"),
    ],
)
def test_what_cannot_be_packed_is_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = download("Ada Example_12345_assignsubmission_file/a.cu")
    before = path.read_bytes()
    assert run(["feedback", "--moodle", str(path), *arguments]) == 2
    assert message in capsys.readouterr().err
    assert path.read_bytes() == before
    assert not Path("back.zip").exists()
