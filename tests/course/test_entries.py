"""What leaves for another system is what counts by the rules of the course."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from grader.course.entries import entries, person_grades
from grader.course.extensions import extend
from grader.course.records import Records
from grader.course.staff import Staff
from grader.course.workspace import Workspace, open_workspace
from grader.store.people import Person
from grader.store.rulings import Extension
from tests.store.examples import NOON, attempt, fast_report, put_score, submission

COURSE = """[course]
time_zone = "Asia/Shanghai"
language = "ru"
[labs.row-sum]
due = "2026-03-01 20:00"
late = "10 % a day"
keep = "best"
points = 10
[groups]
pair = ["ada", "bo"]
"""


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.chdir(tmp_path)
    return open_workspace()


def submit(records: Records, text: str, points: float, hours: float) -> None:
    work = submission("ada", text=text)
    put_score(records.store, work, fast_report(work, score=points))
    at = NOON + timedelta(hours=hours)
    records.store.attempts.put_all([attempt("ada", source=text, submission=work.digest, submitted_at=at)])


def test_a_penalty_and_the_best_attempt_reach_the_export(workspace: Workspace) -> None:
    Path("course.toml").write_text(COURSE, encoding="utf-8")
    with Records(workspace) as records:
        records.store.people.put_all([Person(id="ada"), Person(id="bo")])
        submit(records, "first", 80, -1)
        submit(records, "second", 85, 1)
        submit(records, "third", 100, 30)
        found = {each.student: each for each in entries(workspace, records, "row-sum", None)}
    # 8 on time, 8.5 less a tenth, and 10 less two.
    assert (found["ada"].points, found["ada"].max_points) == (8, 10)
    assert found["bo"].points is None
    # The newest result has 100 of 100 points, so the student reads why 8 of 10 count.
    assert any("80" in line and "100" in line for line in found["ada"].feedback[1:])


def test_without_a_course_the_newest_work_counts_in_full(workspace: Workspace) -> None:
    with Records(workspace) as records:
        submit(records, "first", 80, -1)
        submit(records, "second", 30, 5)
        (found,) = person_grades(workspace, records, "row-sum")
    assert (found.grade.points, found.grade.penalty) == (30, 0)


def test_an_extension_is_on_the_clocks_of_the_course(workspace: Workspace) -> None:
    Path("course.toml").write_text(COURSE, encoding="utf-8")
    students = extend(
        workspace, "group:pair", "row-sum", Staff(because="ill", by="Bo"), until="2026-03-02 20:00"
    )
    assert students == ("ada", "bo")
    with Records(workspace) as records:
        (ada, _) = records.store.decisions.list()
    assert ada.ruling == Extension(until=datetime(2026, 3, 2, 12, tzinfo=UTC))
