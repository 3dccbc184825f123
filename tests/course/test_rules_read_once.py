"""A server reads the course file again when it changed, and only then."""

import os
from collections.abc import Collection
from pathlib import Path

import pytest

from grader.course import rules
from grader.course.rules import course_of
from grader.course.workspace import Workspace
from grader.policy.course_file import CourseFile, read_course
from tests.course.small_course import small_course, write_rules

OLD = 10**18


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.chdir(tmp_path)
    return small_course(tmp_path, f"sqlite:///{tmp_path}/store.sqlite", "points = 10")


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that were read."""
    found: list[Path] = []

    def noted(path: Path, labs: Collection[str]) -> CourseFile:
        found.append(path)
        return read_course(path, labs)

    monkeypatch.setattr(rules, "read_course", noted)
    return found


def points(workspace: Workspace) -> float | None:
    return course_of(workspace).rule("scale").points


def test_an_unchanged_file_is_read_once(workspace: Workspace, reads: list[Path]) -> None:
    os.utime("course.toml", ns=(OLD, OLD))
    assert points(workspace) == points(workspace) == 10
    assert len(reads) == 1


def test_a_change_is_noticed(workspace: Workspace) -> None:
    os.utime("course.toml", ns=(OLD, OLD))
    assert points(workspace) == 10
    write_rules("points = 20")
    assert points(workspace) == 20


def test_two_changes_at_one_moment_are_noticed(workspace: Workspace, reads: list[Path]) -> None:
    status = Path("course.toml").stat()
    assert points(workspace) == 10
    write_rules("points = 20")
    os.utime("course.toml", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert points(workspace) == 20
    assert len(reads) == 2
