"""What counts: kept attempts, penalties, late days, exemptions and decisions."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from grader.policy.counting import total
from grader.policy.holding import holding
from grader.policy.late import late_rule
from grader.policy.limits import attempt_limit
from grader.policy.rules import Exemption, Keep, Scope, Scores
from grader.policy.times import instant
from grader.policy.work import PointsOverride
from tests.policy.examples import (
    ADA,
    BERLIN,
    DUE,
    LAB,
    attempt,
    codes,
    course,
    extension,
    grade,
    grades,
    local,
    rule,
    work,
)
from tools.messages import english


def test_work_on_time_counts_in_full() -> None:
    found = grade(course(), attempt(-1))
    assert (found.points, found.penalty, found.late_seconds, found.max_points) == (80, 0, 0, 100)
    assert codes(found) == ["counted-kept-only", "counted-on-time"]


def test_each_day_late_takes_its_part() -> None:
    found = grade(course(), attempt(25))
    assert (found.raw_points, found.penalty, found.points) == (80, 16, 64)
    assert found.late_seconds == 25 * 3600
    assert codes(found) == ["counted-kept-only", "counted-late", "counted-penalty"]


def test_what_came_too_late_has_no_points_and_is_no_zero() -> None:
    found = grade(course(), attempt(24 * 3 + 1))
    assert (found.points, found.kept) == (None, None)
    assert codes(found) == ["counted-closed"]


def test_nothing_submitted_is_said() -> None:
    assert codes(grade(course())) == ["counted-nothing"]


def test_an_attempt_without_a_score_is_pending_and_the_scored_one_counts() -> None:
    found = grade(course(rule(keep=Keep.LAST)), attempt(-2, 70), attempt(-1, None))
    assert found.points == 70
    assert codes(found)[0] == "counted-pending"


@pytest.mark.parametrize(("keep", "points"), [(Keep.BEST, 90), (Keep.LAST, 30)])
def test_the_best_or_the_last_attempt_counts(keep: Keep, points: float) -> None:
    found = grade(course(rule(keep=keep)), attempt(-3, 20), attempt(-2, 90), attempt(-1, 30))
    assert found.points == points


def test_the_best_is_the_best_after_the_penalty() -> None:
    found = grade(course(), attempt(-1, 75), attempt(1, 80))
    assert (found.points, found.kept and found.kept.number) == (75, 1)


def test_of_equal_attempts_the_first_counts_as_the_best() -> None:
    found = grade(course(), attempt(-2), attempt(-1))
    assert found.kept is not None
    assert found.kept.number == 1


def test_work_within_the_minutes_of_grace_is_on_time() -> None:
    lenient = course(rule("none", grace=timedelta(minutes=10)))
    assert grade(lenient, attempt(10 / 60)).points == 80
    assert codes(grade(lenient, attempt(10 / 60)))[-1] == "counted-in-grace"
    assert grade(lenient, attempt(11 / 60)).points is None


def test_lateness_counts_from_the_due_date_after_the_grace() -> None:
    found = grade(course(rule("10 % an hour", grace=timedelta(minutes=10))), attempt(0.5))
    assert (found.late_seconds, found.penalty) == (1800, 8)


def test_nothing_counts_before_the_lab_opens_or_after_it_closes() -> None:
    dated = course(rule("no penalty", opens=DUE - timedelta(hours=5), closes=DUE + timedelta(hours=5)))
    found = grade(dated, attempt(-6, 100), attempt(-4, 10), attempt(4, 20), attempt(6, 90))
    assert found.points == 20
    assert codes(found)[:2] == ["counted-early", "counted-closed"]


def test_attempts_over_the_limit_do_not_count() -> None:
    found = grade(course(rule(limits=(attempt_limit("1"),))), attempt(-2, 50), attempt(-1, 90))
    assert found.points == 50
    assert codes(found)[0] == "counted-over-limit"


def test_a_failure_of_the_grader_takes_no_attempt() -> None:
    failed = attempt(-2, None, grader_failed=True)
    found = grade(course(rule(limits=(attempt_limit("1"),))), failed, attempt(-1, 90))
    assert found.points == 90


def test_points_of_the_course_scale_those_of_the_lab() -> None:
    found = grade(course(rule(points=20)), attempt(25))
    assert (found.raw_points, found.penalty, found.points, found.max_points) == pytest.approx(
        (16, 3.2, 12.8, 20)
    )
    assert "counted-scaled" in codes(found)


@pytest.mark.parametrize(
    ("course_points", "given", "given_of", "expected"),
    [
        (None, 90, 150, 90),
        (None, 140, 150, 100),
        (20, 90, 150, 12),
        (20, 90, 100, 18),
        (20, 60, 75, 16),
        (20, 90, None, 18),
        (20, 140, None, 20),
    ],
)
def test_an_override_stays_when_the_rubric_gives_other_points(
    course_points: float | None, given: float, given_of: float | None, expected: float
) -> None:
    override = PointsOverride(points=given, max_points=given_of, who="Bo")
    assert grade(course(rule(points=course_points)), attempt(-1), override=override).points == expected


def test_a_score_counts_of_what_its_own_rubric_gave() -> None:
    lab = course(rule("10 % of the maximum a day"))
    found = grade(lab, attempt(1, 60, source="before"), max_points=70)
    assert (found.points, found.penalty, found.max_points) == (50, 10, 100)
    assert total([found], lab) == 50
    both = (attempt(-2, 80, source="before"), replace(attempt(-1, 70, source="after"), max_points=70))
    found = grade(lab, *both, max_points=70)
    assert (found.points, found.max_points) == (70, 70)


def test_an_extension_keeps_the_hour_of_closing_where_clocks_change() -> None:
    due, closes, moved = (
        instant(datetime(2026, 10, day, 23, 59), BERLIN)  # noqa: DTZ001 - local by intent
        for day in (24, 27, 30)
    )
    held = holding(course(rule(due=due, closes=closes), extension(3)), ADA, LAB)
    assert held.rule.closes == moved


def test_an_extension_moves_the_due_date_and_the_closing() -> None:
    extended = course(rule("none", closes=DUE), extension(2, reason="ill", by="Bo"))
    found = grade(extended, attempt(47))
    assert found.points == 80
    assert english(found.explanation[0]).endswith("(Bo: ill)")
    assert grade(extended, attempt(49)).points is None


@pytest.mark.parametrize(
    ("scope", "name", "holds"),
    [
        (Scope.STUDENT, "ada", True),
        (Scope.STUDENT, "bo", False),
        (Scope.GROUP, "team 1", True),
        (Scope.LABEL, "extra time", True),
        (Scope.LABEL, "team 1", False),
        (Scope.SECTION, "A", True),
    ],
)
def test_an_exemption_is_for_a_student_a_group_a_label_or_a_section(
    scope: Scope, name: str, *, holds: bool
) -> None:
    own = Exemption(scope=scope, name=name, days=1)
    assert (grade(course(rule("none"), own), attempt(1)).points == 80) is holds


def test_of_two_extensions_the_longer_one_holds_in_any_order() -> None:
    several = (extension(1), extension(3), extension(2, lab=None))
    for order in (several, several[::-1]):
        assert grade(course(rule("none"), *order), attempt(71)).points == 80


def test_an_exemption_takes_nothing_away() -> None:
    earlier = extension(0, due=DUE - timedelta(days=1), attempts=attempt_limit("1"))
    assert grade(course(rule(), earlier), attempt(-2, 10), attempt(-1, 80)).points == 80


def test_more_attempts_by_exemption() -> None:
    more = extension(0, attempts=attempt_limit("2"))
    assert (
        grade(course(rule(limits=(attempt_limit("1"),)), more), attempt(-2, 10), attempt(-1, 80)).points == 80
    )


def test_an_extension_keeps_the_last_attempt_of_before_if_that_is_better() -> None:
    extended = course(rule("none", keep=Keep.LAST), extension(2))
    found = grade(extended, attempt(-1, 90), attempt(5, 10))
    assert found.points == 90
    assert "counted-kept-former" in codes(found)


def test_an_excuse_beats_everything() -> None:
    found = grade(
        course(rule(), extension(0, excused=True, reason="ill")),
        attempt(-1),
        override=PointsOverride(points=5, who="Bo"),
    )
    assert (found.points, found.excused, found.override) == (None, True, True)
    assert codes(found) == ["counted-excused"]


def test_points_that_staff_set_have_no_penalty() -> None:
    found = grade(
        course(rule(points=10)), attempt(25), override=PointsOverride(points=50, who="Bo", why="paper")
    )
    assert (found.points, found.penalty, found.override) == (5, 0, True)
    assert codes(found)[-1] == "counted-override"


def test_late_days_cover_whole_days_and_the_rest_costs() -> None:
    pooled = course(rule(late_days=2), late_days=4)
    found = grade(pooled, attempt(60))
    assert (found.late_days, found.penalty, found.points) == (2, 8, 72)


def test_late_days_are_spent_in_the_order_of_submission_over_all_labs() -> None:
    labs = {"a": rule("none", late_days=2), "b": rule("none", late_days=2, due=local("20 23:59"))}
    pooled = course(late_days=2, labs=labs)
    a, b = work(attempt(40)), work(attempt(local("21 12:00")))
    found = grades(pooled, {"b": b, "a": a})
    assert {lab: (each.late_days, each.points) for lab, each in found.items()} == {
        "a": (2, 80),
        "b": (0, None),
    }
    assert grades(pooled, {"b": b})["b"].late_days == 1


def test_an_attempt_that_late_days_cannot_save_spends_none() -> None:
    pooled = course(rule("none", late_days=2), late_days=2)
    found = grade(pooled, attempt(24 * 5))
    assert (found.late_days, found.points) == (0, None)


def test_a_lab_spends_its_days_once_for_all_attempts() -> None:
    pooled = course(rule("none", late_days=3), late_days=3)
    assert grade(pooled, attempt(1), attempt(2), attempt(30)).late_days == 2


def test_scores_have_no_part_in_late_days() -> None:
    pooled = course(rule("none", late_days=3), late_days=3)
    several = (attempt(-1, 50), attempt(1, None), attempt(30, 60))
    spent = {
        grade(pooled, *(replace(each, points=points) for each in several)).late_days
        for points in (None, 0.0, 90.0)
    }
    assert spent == {2}


@pytest.mark.parametrize(
    ("scores", "hours", "published", "visible"),
    [
        (Scores.AT_ONCE, -1, False, True),
        (Scores.AFTER_DUE, -1, True, False),
        (Scores.AFTER_DUE, 47, False, False),
        (Scores.AFTER_DUE, 49, False, True),
        (Scores.WHEN_PUBLISHED, 49, False, False),
        (Scores.WHEN_PUBLISHED, -1, True, True),
    ],
)
def test_when_the_student_sees_the_score(
    scores: Scores, hours: float, *, published: bool, visible: bool
) -> None:
    dated = course(rule(scores=scores), extension(2))
    found = grade(dated, attempt(-1), now=DUE + timedelta(hours=hours), published=published)
    assert found.visible is visible
    assert (
        codes(found)[-1].startswith("counted-hidden")
        or codes(found)[-1] == "counted-not-published"
        or visible
    )


def test_a_total_weighs_labs_and_leaves_out_the_excused() -> None:
    labs = {"a": rule(weight=1), "b": rule(weight=3), "c": rule(weight=5)}
    excused = extension(0, lab="c", excused=True)
    weighed = course(None, excused, labs=labs)
    found = grades(weighed, {"a": work(attempt(-1, 100)), "b": work(attempt(-1, 60)), "c": work()})
    assert total(found.values(), weighed) == pytest.approx((100 + 3 * 60) / 4)


def test_a_lab_that_the_course_does_not_name_is_never_late() -> None:
    assert grade(course(labs={}), attempt(9999)).points == 80


def test_the_rule_is_a_value_of_text() -> None:
    assert rule("10 % a day").late == late_rule("10 % a day")
    assert LAB in course().labs
