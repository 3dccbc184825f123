"""The grade of a total."""

import pytest

from grader.policy.rules import Course

COURSE = Course(boundaries=(("A", 90.0), ("B", 77.5), ("F", 0.0)))


@pytest.mark.parametrize(
    ("total", "grade"),
    [
        (100.0, "A"),
        (90.0, "A"),
        (100 * (0.1 + 0.2 + 0.6) - 1e-12, "A"),
        (89.99, "B"),
        (77.49, "F"),
        (0.0, "F"),
        (None, ""),
    ],
)
def test_a_total_has_the_best_grade_that_it_reaches(total: float | None, grade: str) -> None:
    assert COURSE.grade(total) == grade


def test_no_boundary_gives_no_grade() -> None:
    assert not Course().grade(100.0)
    assert not Course(boundaries=(("A", 90.0),)).grade(10.0)
