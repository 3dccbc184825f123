"""What must hold for any class: extensions, later attempts, regrades, grace, excuses, and the order of inputs."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from grader.policy.counting import count_all
from grader.policy.late import late_rule
from grader.policy.limits import attempt_limit
from grader.policy.rules import Course, Keep, LabRule
from grader.policy.work import ScoredAttempt, Work
from tests.policy.examples import ADA, BERLIN, DUE, LAB, NOW, attempt, extension, work

_LATE = ("none", "no penalty", "10 % a day, at most 3 days", "5 points an hour", "20 % once, at most 2 days")
_LIMITS = ("unlimited", "2", "1, then one a day", "2 a day, at most 3", "unlimited, 5 hours apart")
_POINTS = st.one_of(st.none(), st.integers(0, 100))


@st.composite
def _rules(draw: Any) -> LabRule:
    return LabRule(
        due=DUE + timedelta(days=draw(st.integers(0, 3))),
        closes=draw(st.sampled_from([None, DUE + timedelta(days=5)])),
        late=late_rule(draw(st.sampled_from(_LATE))),
        grace=timedelta(minutes=draw(st.sampled_from([0, 30, 600]))),
        keep=draw(st.sampled_from(list(Keep))),
        limits=(attempt_limit(draw(st.sampled_from(_LIMITS))),),
        points=draw(st.sampled_from([None, 20.0])),
        late_days=draw(st.integers(0, 3)),
    )


@st.composite
def _attempts(draw: Any) -> list[ScoredAttempt]:
    hours = draw(st.lists(st.integers(-50, 200), max_size=6))
    return [
        attempt(hour, draw(_POINTS), source=str(number), grader_failed=draw(st.booleans()))
        for number, hour in enumerate(hours)
    ]


@st.composite
def _classes(draw: Any) -> tuple[Course, dict[str, Work]]:
    """A course with two labs and some work for each."""
    course = Course(
        zone=BERLIN, late_days=draw(st.integers(0, 4)), labs={LAB: draw(_rules()), "b": draw(_rules())}
    )
    return course, {LAB: work(*draw(_attempts())), "b": work(*draw(_attempts()))}


def _points(course: Course, works: dict[str, Work], lab: str = LAB) -> float:
    """The points of ``lab``; less than zero if it has none."""
    points = count_all(course, ADA, works, NOW)[lab].points
    return -1.0 if points is None else points


_EXAMPLES = settings(max_examples=150, deadline=None)


@_EXAMPLES
@given(_classes(), st.integers(1, 4), st.sampled_from([None, "3", "unlimited"]))
def test_an_extension_never_lowers_a_score(
    made: tuple[Course, dict[str, Work]], days: int, limit: str | None
) -> None:
    course, works = made
    more = None if limit is None else attempt_limit(limit)
    extended = replace(course, exemptions=(extension(days, attempts=more),))
    assert _points(extended, works) >= _points(course, works) - 1e-9


@_EXAMPLES
@given(_classes(), st.integers(0, 100), _POINTS)
def test_a_later_attempt_never_lowers_the_best(
    made: tuple[Course, dict[str, Work]], hours: int, points: float | None
) -> None:
    course, works = made
    best = replace(course, labs={**course.labs, LAB: replace(course.labs[LAB], keep=Keep.BEST)})
    last = max((each.submitted_at for each in works[LAB].attempts), default=DUE)
    later = attempt(last + timedelta(hours=hours), points, source="z")
    more = {**works, LAB: replace(works[LAB], attempts=(*works[LAB].attempts, later))}
    assert _points(best, more) >= _points(best, works) - 1e-9


@_EXAMPLES
@given(_classes(), st.data())
def test_a_regrade_spends_no_late_day_and_takes_no_attempt(
    made: tuple[Course, dict[str, Work]], data: st.DataObject
) -> None:
    course, works = made
    regraded = {
        lab: replace(each, attempts=tuple(replace(one, points=data.draw(_POINTS)) for one in each.attempts))
        for lab, each in works.items()
    }
    before, after = (count_all(course, ADA, each, NOW) for each in (works, regraded))
    for lab, grade in before.items():
        assert grade.late_days == after[lab].late_days
        refused = {"counted-early", "counted-over-limit", "counted-closed"}
        assert [each for each in grade.explanation if each.code in refused] == [
            each for each in after[lab].explanation if each.code in refused
        ]


@_EXAMPLES
@given(_classes(), st.integers(1, 600))
def test_grace_never_lowers_a_score_of_the_best(made: tuple[Course, dict[str, Work]], minutes: int) -> None:
    course, works = made
    strict = replace(course.labs[LAB], keep=Keep.BEST)
    lenient = replace(strict, grace=strict.grace + timedelta(minutes=minutes))
    without, with_grace = (replace(course, labs={LAB: each}) for each in (strict, lenient))
    own = {LAB: works[LAB]}
    assert _points(with_grace, own) >= _points(without, own) - 1e-9


@_EXAMPLES
@given(_classes())
def test_an_excuse_leaves_no_points_and_spends_nothing(made: tuple[Course, dict[str, Work]]) -> None:
    course, works = made
    excused = replace(course, exemptions=(extension(1), extension(0, excused=True)))
    found = count_all(excused, ADA, works, NOW)[LAB]
    assert (found.points, found.excused, found.late_days) == (None, True, 0)


@_EXAMPLES
@given(_classes(), st.randoms(use_true_random=False))
def test_the_order_of_inputs_does_not_matter(made: tuple[Course, dict[str, Work]], random: Any) -> None:
    course, works = made
    mixed = {
        lab: replace(each, attempts=tuple(random.sample(each.attempts, len(each.attempts))))
        for lab, each in reversed(works.items())
    }
    assert count_all(course, ADA, works, NOW) == count_all(course, ADA, mixed, NOW)


@_EXAMPLES
@given(_classes())
def test_points_lie_between_none_and_all_and_late_days_in_the_pool(
    made: tuple[Course, dict[str, Work]],
) -> None:
    course, works = made
    found = count_all(course, ADA, works, NOW)
    assert sum(each.late_days for each in found.values()) <= course.late_days
    for lab, grade in found.items():
        assert grade.late_days <= course.labs[lab].late_days
        assert grade.points is None or 0 <= grade.points <= grade.max_points
