"""Killing a grader or a worker costs no student a point and leaves no files or processes."""

import contextlib
import random
import subprocess
import time
from pathlib import Path

import pytest

from grader.sandbox.scratch import remove_leftovers
from tools.faults.course import Course
from tools.faults.kills import Kill, kill_grader, kill_worker

STUDENTS = 9
KILLS = 3
SECONDS = 900
"""Longest wait for a grader; a busy machine may need it."""
SEEDS = [1]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, float]]:
    course = Course.of(tmp_path_factory.mktemp("undisturbed"), STUDENTS)
    assert course.start().wait(SECONDS) == 0
    assert course.left() == []
    return course.results()


@pytest.mark.faults
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kill", [kill_grader, kill_worker])
def test_every_result_is_there_once_and_right(
    kill: Kill, seed: int, undisturbed: dict[str, tuple[str, float]], tmp_path: Path
) -> None:
    drawn = random.Random(seed)
    course = Course.of(tmp_path, STUDENTS)
    grader = course.start()
    kept: set[str] = set()
    for _ in range(KILLS):
        with contextlib.suppress(subprocess.TimeoutExpired):
            grader.wait(drawn.uniform(0.3, 2.5))
        kill(grader, drawn)
        if grader.poll() is not None:
            now = course.stored()
            assert len(now) == len(set(now)), "stored twice"
            assert kept <= set(now), "a finished result is lost"
            kept = set(now)
            grader = course.start()
    # The next run grades the submission that was not gradable because its worker was killed twice.
    deadline = time.monotonic() + SECONDS
    while grader.wait(SECONDS) != 0:
        assert time.monotonic() < deadline
        grader = course.start()
    assert course.results() == undisturbed
    assert course.left() == []


def test_only_what_dead_graders_left_is_swept(tmp_path: Path) -> None:
    course = Course.of(tmp_path, STUDENTS)
    first, second = course.start(), course.start()
    try:
        deadline = time.monotonic() + SECONDS
        while len(owners(course)) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        first.kill()
        first.wait()
        remove_leftovers(course.scratch)
        assert len(owners(course)) <= 1
    finally:
        for grader in (first, second):
            grader.kill()
            grader.wait()
    remove_leftovers(course.scratch)
    assert not owners(course)


def owners(course: Course) -> set[str]:
    return {path.name.rpartition("-")[0] for path in course.scratch.iterdir()}
