"""A full disk or a wrong clock costs no student a point; the next run continues where the last one stopped."""

import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from grader.errors import InfrastructureError
from grader.model.build import Translation
from grader.sandbox.process import ProcessSandbox
from grader.worker.messages import RequestKind
from tests.faults.machine import (
    MIB,
    SET_AT_EVERY_LOOK,
    filled,
    needs_memory_groups,
    needs_mounts,
    small_disk,
    small_memory,
)
from tools.faults.course import Course
from tools.worker_requests import BUILD, FILL_CU, request

SECONDS = 900
"""Longest wait for a grader; a busy machine may need it."""
STUDENTS = 3

_HINT = 2
_DISK = 4 * MIB
"""Room for an empty store, its log, and some results."""


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, float]]:
    course = Course.of(tmp_path_factory.mktemp("undisturbed"), STUDENTS)
    assert course.start().wait(SECONDS) == 0
    return course.results()


def after(course: Course, done: int) -> subprocess.Popen[bytes]:
    """Run a grader that already has ``done`` results and continues."""
    grader = course.start()
    deadline = time.monotonic() + SECONDS
    while course.count() < done:
        assert grader.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return grader


@needs_mounts
@pytest.mark.faults
@pytest.mark.parametrize("full", [".grader", "results"])
def test_a_full_disk_stops_the_grader_and_the_next_one_goes_on(
    full: str, undisturbed: dict[str, tuple[str, float]], tmp_path: Path
) -> None:
    course = Course.of(tmp_path, STUDENTS)
    disk = tmp_path / full
    disk.mkdir()
    with small_disk(disk, _DISK):
        grader = after(course, 1)
        with filled(disk):
            assert grader.wait(SECONDS) == _HINT
            kept = set(course.stored()) if full == "results" else set()
        said = (tmp_path / "grader.log").read_text("utf-8").strip()
        assert "disk is full" in said or "No space left on device" in said
        assert kept <= set(course.stored())
        assert course.stored()
        assert course.start().wait(SECONDS) == 0
        assert course.results() == undisturbed
        assert course.left() == []


@needs_mounts
def test_no_room_for_a_scratch_folder_is_the_machines_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with small_disk(tmp_path, MIB), ProcessSandbox() as sandbox:
        with filled(tmp_path), pytest.raises(InfrastructureError, match="scratch folder: No space left"):
            sandbox.worker(BUILD)
        with sandbox.worker(BUILD) as worker:
            assert worker.is_fresh()


@needs_memory_groups
def test_a_worker_killed_for_memory_is_the_machines_fault() -> None:
    with (
        ProcessSandbox() as sandbox,
        sandbox.worker(BUILD) as worker,
        small_memory(worker.pid, 2 * MIB),
        pytest.raises(InfrastructureError, match="ran out of memory"),
    ):
        worker.ask(
            RequestKind.TRANSLATE,
            request(FILL_CU, "fill.cu"),
            Translation,
            seconds=SECONDS,
            reply_bytes=64 * MIB,
        )


@pytest.mark.faults
def test_a_clock_that_is_set_changes_nothing(
    undisturbed: dict[str, tuple[str, float]], tmp_path: Path
) -> None:
    course = Course.of(tmp_path, STUDENTS)
    assert course.start(SET_AT_EVERY_LOOK).wait(SECONDS) == 0
    assert course.results() == undisturbed
    assert course.start(SET_AT_EVERY_LOOK).wait(SECONDS) == 0
    assert f"{STUDENTS} unchanged" in (tmp_path / "grader.log").read_text("utf-8")
    assert course.results() == undisturbed
    assert course.left() == []
