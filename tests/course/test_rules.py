"""The course that holds: its file, what staff decided, and what `grader course check` finds."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from grader.course.course_check import check_course, rule_of
from grader.course.course_new import new_course
from grader.course.records import Records
from grader.course.rules import course_of, course_path
from grader.course.workspace import Workspace, open_workspace
from grader.errors import UserError
from grader.policy.rules import Keep, LabRule
from grader.store.people import Person
from grader.store.rulings import Extension
from tests.store.examples import NOON, attempt, decision
from tools.messages import english

TEXT = """[course]
time_zone = "Europe/Berlin"
[late_days]
per_student = 2
[labs.row-sum]
due = "2026-03-01 12:00"
[labs.matmul]
opens = "2026-04-01"
[[exceptions]]
student = "bo"
lab = "row-sum"
excused = true
"""


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.chdir(tmp_path)
    Path("course.toml").write_text(TEXT, encoding="utf-8")
    return open_workspace()


def enrol(workspace: Workspace, *names: str) -> None:
    with Records(workspace) as records:
        records.store.people.put_all([Person(id=name, name=f"{name} Example") for name in names])


def test_without_a_file_nothing_is_ever_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert course_of(open_workspace()).rule("row-sum") == LabRule(keep=Keep.LAST)
    with pytest.raises(UserError, match="grader course new"):
        check_course(open_workspace())


def test_the_file_is_found_from_a_folder_below(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    below = workspace.config.base / "submissions" / "row-sum"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert course_path(open_workspace()) == workspace.config.base / "course.toml"


def test_a_broken_file_is_no_course(workspace: Workspace) -> None:
    Path("course.toml").write_text("[course]\ntitle = 5\nlanguage = 5\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"line 2: .* lists 1 more"):
        course_of(workspace)
    assert len(check_course(workspace).mistakes) == 2


def test_who_is_missing_is_listed_without_the_excused(workspace: Workspace) -> None:
    enrol(workspace, "ada", "bo", "cyd")
    with Records(workspace) as records:
        records.store.attempts.put_all([attempt("cyd")])
    checked = check_course(workspace, "2026-03-01 13:00")
    assert [(each.lab, each.missing, each.expected) for each in checked.labs] == [
        ("row-sum", ("ada",), 2),
        ("matmul", (), 3),
    ]
    assert checked.warnings == ()


def test_an_exception_for_a_stranger_is_a_warning(workspace: Workspace) -> None:
    assert check_course(workspace).warnings == ()
    enrol(workspace, "ada")
    (warning,) = check_course(workspace).warnings
    assert english(warning).startswith("course.toml line 10: ")


def test_attempts_and_decisions_are_in_the_sentence(workspace: Workspace) -> None:
    enrol(workspace, "ada", "bo")
    with Records(workspace) as records:
        records.store.attempts.put_all([attempt("ada", submitted_at=NOON + timedelta(hours=1))])
    spent = english(rule_of(workspace, "ada", "row-sum", "2026-03-02 10:00").rule)
    assert spent.split(" · ")[1:] == [
        "full credit until Mon 2 Mar 12:00",
        "1 late day spent",
        "1 late day left",
    ]
    with Records(workspace) as records:
        records.store.decisions.add(decision(Extension(days=2), student="ada"))
    extended = english(rule_of(workspace, "ada", "row-sum", "2026-03-02 10:00").rule)
    assert "full credit until Tue 3 Mar 12:00" in extended
    assert extended.endswith("extension (ta: seen in class)")
    assert english(rule_of(workspace, "bo", "row-sum").rule) == "Excused"


@pytest.mark.parametrize(
    ("student", "lab", "says"),
    [
        ("adda", "row-sum", "Did you mean ada"),
        ("Example", "row-sum", "id: ada"),
        ("ada", "rowsum", "row-sum"),
    ],
)
def test_a_student_or_lab_that_is_not_there(workspace: Workspace, student: str, lab: str, says: str) -> None:
    enrol(workspace, "ada")
    with pytest.raises(UserError, match=says):
        rule_of(workspace, student, lab)


def test_a_time_that_is_none_is_refused(workspace: Workspace) -> None:
    with pytest.raises(UserError, match="--at noon"):
        check_course(workspace, "noon")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"labs": ["row-summ"]}, "row-sum"),
        ({"zone": "Europe/Berlim"}, "Europe/Berlin"),
        ({"language": "de"}, "en, ru, zh"),
    ],
)
def test_a_new_course_with_a_mistake_is_not_written(
    workspace: Workspace, tmp_path: Path, change: dict[str, object], says: str
) -> None:
    options: dict[str, Any] = {"labs": (), "title": "A", "zone": "UTC", "language": "en", **change}
    with pytest.raises(UserError, match=says):
        new_course(workspace, tmp_path / "new", **options)


def test_a_file_that_is_there_is_not_overwritten(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="exists already"):
        new_course(workspace, tmp_path, (), title="A", zone="UTC", language="en")
    assert Path("course.toml").read_text("utf-8") == TEXT


def test_those_who_submit_without_being_in_the_roster_are_a_warning(workspace: Workspace) -> None:
    enrol(workspace, "ada", "bo")
    with Records(workspace) as records:
        records.store.attempts.put_all([attempt("zoe"), attempt("ada")])
    (warning,) = check_course(workspace).warnings
    assert (warning.code, warning.params["people"]) == ("roster-unlisted", ("zoe",))


def test_a_section_that_the_course_does_not_list_is_a_warning(workspace: Workspace) -> None:
    with Records(workspace) as records:
        records.store.people.put_all([Person(id="bo", section="C"), Person(id="cy", section="A")])
    assert check_course(workspace).warnings == ()
    Path("course.toml").write_text(TEXT.replace("[late_days]", 'sections = ["A"]\n[late_days]'), "utf-8")
    (warning,) = check_course(workspace).warnings
    assert (warning.code, warning.params["section"]) == ("roster-section", "C")
