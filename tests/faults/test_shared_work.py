"""Two graders on one store share the work, also when one of them is killed."""

import time
from collections import Counter
from pathlib import Path

import pytest

from grader.config import load
from grader.store.sql_store import open_store
from tools.faults.course import Course

STUDENTS = 12
SECONDS = 900


def gradings(course: Course) -> Counter[str]:
    """How often each student was graded."""
    store = open_store(load(course.folder))
    try:
        return Counter(score.key.student for score in store.scores.history())
    finally:
        store.close()


@pytest.mark.faults
def test_two_graders_grade_each_submission_once(tmp_path: Path) -> None:
    course = Course.of(tmp_path, STUDENTS)
    graders = [course.start(), course.start()]
    assert [grader.wait(SECONDS) for grader in graders] == [0, 0]
    assert set(gradings(course).values()) == {1}
    assert len(course.results()) == STUDENTS


@pytest.mark.faults
def test_the_other_grader_finishes_the_work_of_a_killed_one(tmp_path: Path) -> None:
    course = Course.of(tmp_path, STUDENTS)
    killed, other = course.start(), course.start()
    deadline = time.monotonic() + SECONDS
    while course.count() < STUDENTS // 3:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    killed.kill()
    killed.wait()
    assert other.wait(SECONDS) == 0
    assert set(gradings(course).values()) == {1}
    assert len(course.results()) == STUDENTS
