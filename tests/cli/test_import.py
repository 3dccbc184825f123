"""``grader import``: an archive becomes attempts, once, and ``grader grade`` without a path grades them."""

import json
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from grader.cli.app import run
from grader.cli.console import err, out
from grader.course.records import Records
from grader.course.workspace import open_workspace
from grader.store.attempts import Attempt
from grader.store.people import IdSystem, Person, PersonId
from tests.labs.example_lab import folder_of_labs
from tests.lms.archives.builders import AT_STAMP, zipped

RIGHT = (
    "__global__ void scale(const float *x, float *y, int n)\n"
    "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = 2 * x[i]; }\n"
)
WRONG = RIGHT.replace("2 * x", "3 * x")
CONFIG = '[labs]\nfolders = ["labs"]\n'

MOODLE = {
    "Ада Пример_11_assignsubmission_file/scale.cu": RIGHT,
    "王伟_12_assignsubmission_file/scale.cu": WRONG,
    "王伟_13_assignsubmission_file/scale.cu": RIGHT + "// mine\n",
    "ليلى مثال_14_assignsubmission_file/report.pdf": "no kernel",
    "__MACOSX/._x": "x",
}
PEOPLE = (
    Person(id="ada", name="Ада Пример", ids=(PersonId(system=IdSystem.MOODLE, value="11"),)),
    Person(id="wang-1", name="王伟", ids=(PersonId(system=IdSystem.MOODLE, value="12"),), groups=("Team 7",)),
    Person(id="wang-2", name="王伟", groups=("Team 7",)),
    Person(id="layla", name="ليلى مثال", ids=(PersonId(system=IdSystem.MOODLE, value="14"),)),
)


@pytest.fixture(autouse=True)
def _course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TZ", "Europe/Berlin")
    for console in (out, err):
        monkeypatch.setattr(console, "_width", 240)
    folder_of_labs(tmp_path)
    (tmp_path / "reference" / "scale" / "global.cu").write_text(RIGHT, encoding="utf-8")
    Path("grader.toml").write_text(CONFIG, encoding="utf-8")
    zipped(tmp_path / "GPU-scale-77.zip", MOODLE)


def enrol(*people: Person) -> None:
    with Records(open_workspace()) as records:
        records.store.people.put_all(people)


def attempts() -> tuple[Attempt, ...]:
    with Records(open_workspace()) as records:
        return records.store.attempts.list()


def students() -> list[str]:
    return sorted(attempt.student for attempt in attempts())


def test_without_a_roster_each_has_the_id_of_the_system() -> None:
    assert run(["import", "GPU-scale-77.zip"]) == 0
    assert students() == ["11", "12", "13", "14"]
    assert {attempt.lab for attempt in attempts()} == {"scale"}
    refused = {attempt.student: attempt.refusal and attempt.refusal.reason.code for attempt in attempts()}
    assert refused == {"11": None, "12": None, "13": None, "14": "no-kernel-file"}


def test_people_are_matched_by_id_and_namesakes_are_not(capsys: pytest.CaptureFixture[str]) -> None:
    enrol(*PEOPLE)
    assert run(["import", "GPU-scale-77.zip"]) == 2
    assert students() == ["ada", "layla", "wang-1"]
    said = capsys.readouterr().err
    assert "wang-1 and wang-2" in said
    assert "13" in said
    enrol(Person(id="wang-2", name="王伟", ids=(PersonId(system=IdSystem.MOODLE, value="13"),)))
    assert run(["import", "GPU-scale-77.zip"]) == 0
    assert students() == ["ada", "layla", "wang-1", "wang-2"]


def test_a_dry_run_shows_all_and_stores_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["import", "GPU-scale-77.zip", "--dry-run"]) == 0
    shown = capsys.readouterr()
    for word in ("11", "Ада Пример", "王伟", "ليلى مثال", "10 June 2026, 14:14", "scale.cu"):
        assert word in shown.out
    assert "__MACOSX/._x" in shown.err
    assert "Moodle" in shown.err
    assert attempts() == ()


def test_many_entries_are_counted_and_a_dry_run_lists_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    zipped(tmp_path / "scale.zip", MOODLE | {f"stray{number}.txt": "x" for number in range(12)})
    run(["import", "scale.zip"])
    said = capsys.readouterr().err
    assert "3 more entries" in said
    assert "stray9.txt" not in said
    run(["import", "scale.zip", "--dry-run"])
    assert "stray9.txt" in capsys.readouterr().err


def test_importing_twice_changes_nothing_and_an_update_adds(tmp_path: Path) -> None:
    run(["import", "GPU-scale-77.zip"])
    first = attempts()
    run(["import", "GPU-scale-77.zip"])
    assert attempts() == first
    changed = MOODLE | {"王伟_12_assignsubmission_file/scale.cu": RIGHT + "// again\n"}
    zipped(tmp_path / "GPU-scale-78.zip", changed, (2026, 6, 12, 9, 0, 0))
    run(["import", "GPU-scale-78.zip"])
    added = set(attempts()) - set(first)
    assert [attempt.student for attempt in added] == ["12"]
    run(["import", "GPU-scale-77.zip"])
    assert set(attempts()) == set(first) | added


def test_the_times_of_the_zip_are_those_of_the_course() -> None:
    run(["import", "GPU-scale-77.zip"])
    assert {attempt.submitted_at for attempt in attempts()} == {AT_STAMP}


def test_each_member_of_a_group_gets_the_attempt(tmp_path: Path) -> None:
    enrol(*PEOPLE)
    zipped(tmp_path / "scale.zip", {"team7_501_900_scale.cu": RIGHT})
    assert run(["import", "scale.zip"]) == 0
    assert [(attempt.student, attempt.group) for attempt in attempts()] == [
        ("wang-1", "team7"),
        ("wang-2", "team7"),
    ]


COURSE = """[course]
title = "GPU"
time_zone = "Asia/Shanghai"

[labs.scale]
due = "2026-06-10 12:00"

[groups]
"Team 9" = ["ada", "layla"]
"""


def test_the_course_gives_its_zone_and_its_groups(tmp_path: Path) -> None:
    Path("course.toml").write_text(COURSE, encoding="utf-8")
    enrol(*PEOPLE)
    run(
        [
            "import",
            str(zipped(tmp_path / "scale.zip", {"Team 9_501_assignsubmission_file/scale.cu": RIGHT})),
            "--file-times",
        ]
    )
    assert [attempt.student for attempt in attempts()] == ["ada", "layla"]
    assert {attempt.submitted_at for attempt in attempts()} == {datetime(2026, 6, 10, 6, 14, tzinfo=UTC)}


def test_what_canvas_does_not_mark_late_is_not_late_by_its_download(tmp_path: Path) -> None:
    Path("course.toml").write_text(COURSE, encoding="utf-8")
    files = {"adaexample_77_900_scale.cu": RIGHT, "boexample_LATE_78_901_scale.cu": WRONG}
    run(["import", str(zipped(tmp_path / "scale.zip", files))])
    times = {attempt.student: attempt.submitted_at for attempt in attempts()}
    assert times == {
        "77": datetime(2026, 6, 10, 4, 0, tzinfo=UTC),
        "78": datetime(2026, 6, 10, 6, 14, tzinfo=UTC),
    }


def test_lateness_by_a_files_time_alone_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("course.toml").write_text(COURSE, encoding="utf-8")
    assert run(["import", "GPU-scale-77.zip", "--dry-run"]) == 0
    assert "4 submissions" in capsys.readouterr().err
    assert run(["import", "GPU-scale-77.zip"]) == 2
    assert "--sheet" in capsys.readouterr().err
    assert attempts() == ()
    assert run(["import", "GPU-scale-77.zip", "--file-times"]) == 0
    assert len(attempts()) == 4


def test_a_zip_without_times_has_none_of_1980(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("course.toml").write_text(COURSE, encoding="utf-8")
    kernel = {"Ada_11_assignsubmission_file/scale.cu": RIGHT}
    archive = str(zipped(tmp_path / "scale.zip", kernel, stamp=(1980, 1, 1, 0, 0, 0)))
    assert run(["import", archive]) == 2
    assert "--file-times" in capsys.readouterr().err
    assert run(["import", archive, "--file-times"]) == 0
    (only,) = attempts()
    assert only.submitted_at == only.received_at


SHEET = """Identifier,"Full name","Email address",Status,Group,Grade,"Maximum grade","Last modified (submission)"
"Participant 11","Ада Пример",ada@example.edu,Submitted,Team 7,,100,"Wednesday, 10 June 2026, 9:30 AM"
"Participant 12","王伟",w1@example.edu,Submitted,Team 7,,100,"Wednesday, 10 June 2026, 11:30 AM"
"Participant 13","王伟",w2@example.edu,Submitted,,,100,"Wednesday, 10 June 2026, 12:30 PM"
"Participant 14","ليلى مثال",layla@example.edu,Submitted,,,100,"Wednesday, 10 June 2026, 8:00 AM"
"""


def test_the_worksheet_has_times_and_addresses() -> None:
    Path("course.toml").write_text(COURSE, encoding="utf-8")
    Path("sheet.csv").write_text(SHEET, encoding="utf-8")
    # No id of Moodle is in the roster: the addresses of the worksheet match.
    enrol(*(Person(id=id_, name="x", email=f"{id_}@example.edu") for id_ in ("ada", "w1", "w2", "layla")))
    assert run(["import", "GPU-scale-77.zip", "--sheet", "sheet.csv"]) == 0
    times = {attempt.student: attempt.submitted_at for attempt in attempts()}
    assert times == {
        "ada": datetime(2026, 6, 10, 1, 30, tzinfo=UTC),
        "w1": datetime(2026, 6, 10, 3, 30, tzinfo=UTC),
        "w2": datetime(2026, 6, 10, 4, 30, tzinfo=UTC),
        "layla": datetime(2026, 6, 10, 0, 0, tzinfo=UTC),
    }


def test_the_sheet_makes_no_second_attempt_of_a_team(tmp_path: Path) -> None:
    Path("sheet.csv").write_text(SHEET, encoding="utf-8")
    zipped(tmp_path / "scale.zip", {"Team 7_501_assignsubmission_file/scale.cu": RIGHT})
    members = [Person(id=id_, email=f"{id_}@example.edu", groups=("Team 7",)) for id_ in ("ada", "w1")]
    enrol(*members)
    run(["import", "scale.zip"])
    before = attempts()
    assert [attempt.student for attempt in before] == ["ada", "w1"]
    run(["import", "scale.zip", "--sheet", "sheet.csv"])
    assert attempts() == before


def test_an_archive_that_names_no_lab_needs_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    zipped(tmp_path / "download.zip", MOODLE)
    assert run(["import", "download.zip"]) == 2
    assert "--lab" in capsys.readouterr().err
    assert run(["import", "download.zip", "--lab", "scale"]) == 0
    assert len(attempts()) == 4


def test_grade_without_a_path_grades_every_attempt_once(tmp_path: Path) -> None:
    run(["import", "GPU-scale-77.zip"])
    changed = {"王伟_12_assignsubmission_file/scale.cu": RIGHT + "// again\n"}
    run(["import", str(zipped(tmp_path / "GPU-scale-78.zip", changed, (2026, 6, 12, 9, 0, 0)))])
    before = attempts()
    options = ["--engine", "emulator", "--trust-submissions"]
    assert run(["grade", *options]) == 0
    reports = json.loads(Path("results", "results.json").read_bytes())["reports"]
    verdicts = {report["student"]: report["verdict"] for report in reports}
    # The newest attempt is the result of the student, whichever was graded last.
    assert verdicts == {"11": "accepted", "12": "accepted", "13": "accepted", "14": "failed to build"}
    with Records(open_workspace()) as records:
        history = records.store.scores.history()
    assert {score.key.digest for score in history} == {attempt.submission for attempt in before}
    run(["grade", *options])
    with Records(open_workspace()) as records:
        assert records.store.scores.history() == history
    assert attempts() == before


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("work.rar", b"x", "only-archives"),
        ("report.pdf", b"x", "no-kernel-file"),
        ("work.zip", b"x", "no-kernel-file"),
    ],
)
def test_what_holds_no_kernel_is_an_attempt_with_a_reason(
    name: str, content: bytes, code: str, tmp_path: Path
) -> None:
    folder = "Ada Example_11_assignsubmission_file"
    run(["import", str(zipped(tmp_path / "scale.zip", {f"{folder}/{name}": content}))])
    (only,) = attempts()
    assert only.refusal is not None
    assert only.refusal.reason.code == code


def test_grade_without_a_path_needs_something_stored(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["grade"]) == 2
    assert "grader import" in capsys.readouterr().err


KILLED = """
import os, signal, sys
from grader.cli.app import run
from grader.store.{module} import {port}
whole, calls = {port}.{method}, []
def killed(self, *arguments):
    calls.append(1)
    if {late}: whole(self, *arguments)
    if len(calls) == 2: os.kill(os.getpid(), signal.SIGKILL)
    return whole(self, *arguments)
{port}.{method} = killed
run(["import", "GPU-scale-77.zip"])
"""


@pytest.mark.parametrize(
    ("module", "port", "method", "late"),
    [
        ("submissions", "SqlSubmissions", "put", True),
        ("attempts", "SqlAttempts", "put_all", True),
    ],
    ids=["between files and attempt", "after the attempt"],
)
def test_a_killed_import_loses_and_doubles_nothing(module: str, port: str, method: str, late: object) -> None:
    script = KILLED.format(module=module, port=port, method=method, late=late)
    dead = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, timeout=120)
    assert dead.returncode == -signal.SIGKILL, dead.stderr.decode()
    assert len(attempts()) < 4
    assert run(["import", "GPU-scale-77.zip"]) == 0
    assert students() == ["11", "12", "13", "14"]
    with Records(open_workspace()) as records:
        for attempt in records.store.attempts.list():
            stored = records.store.submissions.list(attempt.lab, attempt.student)
            assert [each.key.digest for each in stored] == [attempt.submission]
