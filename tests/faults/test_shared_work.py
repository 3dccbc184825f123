"""Two graders on one database share the work, on one host or on two, also when one of them is killed."""

import time
from collections import Counter
from pathlib import Path

import pytest

from grader.config import load
from grader.store.sql_store import open_store
from tools.faults.course import Course

STUDENTS = 8
SECONDS = 900


def gradings(course: Course) -> Counter[str]:
    """How often each student was graded."""
    store = open_store(load(course.folder))
    try:
        return Counter(score.key.student for score in store.scores.history())
    finally:
        store.close()


def two_hosts(folder: Path, url: str) -> tuple[Course, Course]:
    """The same class in two folders, with one database."""
    first, second = folder / "first", folder / "second"
    return Course.of(first, STUDENTS, url=url), Course.of(second, STUDENTS, url=url)


@pytest.mark.faults
def test_two_graders_grade_each_submission_once(tmp_path: Path, url: str) -> None:
    hosts = two_hosts(tmp_path, url)
    graders = [host.start() for host in hosts]
    assert [grader.wait(SECONDS) for grader in graders] == [0, 0]
    first, second = hosts
    assert set(gradings(first).values()) == {1}
    assert len(first.results()) == STUDENTS
    assert first.results() == second.results()


@pytest.mark.faults
def test_the_other_grader_finishes_the_work_of_a_killed_one(tmp_path: Path, url: str) -> None:
    abandoned, course = two_hosts(tmp_path, url)
    killed, other = abandoned.start(), course.start()
    deadline = time.monotonic() + SECONDS
    while course.count() < STUDENTS // 3:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    killed.kill()
    killed.wait()
    assert other.wait(SECONDS) == 0
    assert set(gradings(course).values()) == {1}
    assert len(course.results()) == STUDENTS
