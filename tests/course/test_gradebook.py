"""The gradebook: attempts, scores and decisions become what counts."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from grader.course.gradebook import StudentGrades, gradebook, student_grades
from grader.course.records import Records
from grader.course.workspace import Workspace, open_workspace
from grader.errors import UserError
from grader.model.reason import as_written
from grader.model.report import Part, Withheld
from grader.model.review import Decision as FlagDecision
from grader.model.submission import Submission
from grader.model.verdict import Verdict
from grader.policy.rules import Course, Keep, LabRule, Scores
from grader.store.people import Person
from grader.store.rulings import Excuse, Extension, FlagReview, Override, Publication
from tests.store.examples import NOON, T4, attempt, decision, fast_report, minutes, put_score, submission
from tools.messages import codes

LAB = "row-sum"
FIRST, SECOND = submission("ada", text="first"), submission("ada", text="second")
LATER = NOON + timedelta(days=30)


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.chdir(tmp_path)
    return open_workspace()


@pytest.fixture
def records(workspace: Workspace) -> Iterator[Records]:
    with Records(workspace) as records:
        yield records


def course(**rule: Any) -> Course:
    return Course(labs={LAB: replace(LabRule(), **rule)})


def submit(records: Records, work: Submission, points: float, at: datetime, **more: Any) -> None:
    put_score(records.store, work, fast_report(work, score=points, **more))
    source = f"upload {work.digest}"
    records.store.attempts.put_all([attempt("ada", source=source, submission=work.digest, submitted_at=at)])


def ada(workspace: Workspace, records: Records, of: Course) -> StudentGrades:
    (found,) = student_grades(workspace, records, of, LATER)
    return found


def points(workspace: Workspace, records: Records, of: Course) -> float | None:
    return ada(workspace, records, of).grades[LAB].points


def test_the_best_attempt_counts_or_the_last(workspace: Workspace, records: Records) -> None:
    submit(records, FIRST, 90, minutes(0))
    submit(records, SECOND, 40, minutes(5))
    assert points(workspace, records, course(keep=Keep.BEST)) == 90
    assert points(workspace, records, course(keep=Keep.LAST)) == 40


def test_an_override_of_the_newest_work_counts(workspace: Workspace, records: Records) -> None:
    submit(records, FIRST, 90, minutes(0))
    records.store.decisions.add(decision(Override(points=12.5), FIRST))
    grade = ada(workspace, records, course()).grades[LAB]
    assert (grade.points, grade.override) == (12.5, True)
    assert "counted-override" in {code for step in grade.explanation for code in codes(step)}
    records.store.decisions.add(decision(Override(), FIRST))
    assert points(workspace, records, course()) == 90


@pytest.mark.parametrize(("given", "counts"), [(95, 95), (60, 70)])
def test_points_given_to_former_work_stay_its_points(
    given: float, counts: float, workspace: Workspace, records: Records
) -> None:
    submit(records, FIRST, 50, minutes(0))
    records.store.decisions.add(decision(Override(points=given), FIRST))
    submit(records, SECOND, 70, minutes(5))
    assert points(workspace, records, course(keep=Keep.BEST)) == counts
    assert points(workspace, records, course(keep=Keep.LAST)) == 70


def test_an_excused_lab_does_not_count(workspace: Workspace, records: Records) -> None:
    submit(records, FIRST, 50, minutes(0))
    records.store.decisions.add(decision(Excuse(), student="ada"))
    found = ada(workspace, records, course())
    assert (found.grades[LAB].points, found.grades[LAB].excused, found.total) == (None, True, None)
    records.store.decisions.add(decision(Override(), student="ada"))
    assert points(workspace, records, course()) == 50


def test_an_extension_of_staff_accepts_late_work(workspace: Workspace, records: Records) -> None:
    strict = course(due=minutes(0))
    submit(records, FIRST, 50, minutes(60))
    assert points(workspace, records, strict) is None
    records.store.decisions.add(decision(Extension(days=1), student="ada"))
    assert points(workspace, records, strict) == 50
    records.store.decisions.add(decision(Extension(), student="ada"))
    assert points(workspace, records, strict) is None
    records.store.decisions.add(decision(Extension(until=minutes(61)), student="ada"))
    assert points(workspace, records, strict) == 50


def test_a_regrade_counts_at_the_time_of_submission(workspace: Workspace, records: Records) -> None:
    strict = course(due=minutes(1))
    submit(records, FIRST, 50, minutes(0))
    put_score(records.store, FIRST, fast_report(FIRST, score=80))
    found = ada(workspace, records, strict).grades[LAB]
    assert (found.points, found.late_seconds, found.late_days) == (80, 0, 0)


@pytest.mark.parametrize(("outcome", "counts"), [(FlagDecision.CLEARED, 90), (FlagDecision.CONFIRMED, 80)])
def test_a_review_of_a_flag_decides_about_its_points(
    outcome: FlagDecision, counts: float, workspace: Workspace, records: Records
) -> None:
    withheld = Withheld(score=10, reason=as_written("fast"))
    speed = Part(name="speed", score=0, max_score=10, reason=as_written("flagged"), withheld=withheld)
    report = fast_report(FIRST, verdict=Verdict.SUSPICIOUS, score=80)
    put_score(records.store, FIRST, replace(report, parts=(*report.parts, speed)))
    assert points(workspace, records, course()) == 80
    review = FlagReview(outcome=outcome, lab_code="code", engine=T4)
    records.store.decisions.add(decision(review, FIRST))
    assert points(workspace, records, course()) == counts


def test_work_without_an_attempt_counts_from_when_it_came(workspace: Workspace, records: Records) -> None:
    put_score(records.store, FIRST, fast_report(FIRST, score=50))
    kept = ada(workspace, records, course()).grades[LAB].kept
    assert kept is not None
    assert kept.submitted_at == NOON


def test_what_the_grader_could_not_grade_is_no_zero(workspace: Workspace, records: Records) -> None:
    submit(records, FIRST, 0, minutes(0), verdict=Verdict.NOT_GRADABLE)
    assert points(workspace, records, course()) is None


def test_scores_are_hidden_until_they_are_published(workspace: Workspace, records: Records) -> None:
    hidden = course(scores=Scores.WHEN_PUBLISHED)
    submit(records, FIRST, 50, minutes(0))
    assert not ada(workspace, records, hidden).grades[LAB].visible
    for is_published in (True, False):
        records.store.decisions.add(decision(Publication(published=is_published), student=""))
        assert ada(workspace, records, hidden).grades[LAB].visible == is_published


def test_everybody_in_the_roster_has_a_row(workspace: Workspace, records: Records) -> None:
    submit(records, FIRST, 50, minutes(0))
    records.store.people.put_all([Person(id="bo", section="B"), Person(id="ada", section="A")])
    found = gradebook(workspace, course())
    assert [(each.person.id, each.grades[LAB].points) for each in found.students] == [
        ("ada", 50),
        ("bo", None),
    ]
    (only,) = gradebook(workspace, course(), sections=["B"]).students
    assert only.person.id == "bo"
    with pytest.raises(UserError, match="nobody"):
        gradebook(workspace, course(), students=["nobody"])


def test_the_total_is_weighted_over_all_labs(workspace: Workspace, records: Records) -> None:
    labs = {LAB: LabRule(weight=1), "matmul": LabRule(weight=3)}
    submit(records, FIRST, 100, minutes(0))
    other = submission("ada", "matmul")
    put_score(records.store, other, fast_report(other, score=60))
    found = gradebook(workspace, Course(labs=labs), labs=[LAB])
    assert found.labs == (LAB,)
    assert found.students[0].total == pytest.approx(70)


def test_now_does_not_change_what_counts(workspace: Workspace, records: Records) -> None:
    submit(records, FIRST, 50, minutes(0))
    found = [student_grades(workspace, records, course(), now)[0].total for now in (NOON, datetime.now(UTC))]
    assert found[0] == found[1]
