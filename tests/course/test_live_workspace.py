"""Points that staff change in ``grader.toml`` hold without a restart; a mistake there changes nothing."""

from pathlib import Path

import pytest

from grader.course.job_records import CourseJobs
from grader.course.job_work import open_work
from grader.course.live_workspace import LiveWorkspace
from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.execution.ticket import Reply
from grader.report.files import write_atomically
from tests.course.graded import CPU
from tests.course.small_course import WRONG, send, small_course

RUBRIC = "[labs.scale.rubric]\ncorrectness = 20\n"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.chdir(tmp_path)
    return small_course(tmp_path, f"sqlite:///{tmp_path}/store.sqlite")


def change(text: str) -> None:
    file = Path("grader.toml")
    write_atomically(file, f"{file.read_text('utf-8')}\n{text}".encode())


def most(live: LiveWorkspace) -> float:
    return live.current().registry.get("scale").manifest.rubric.max_score


def test_changed_points_hold_at_once(workspace: Workspace) -> None:
    live = LiveWorkspace(workspace)
    before, first = most(live), live.current()
    assert live.current() is first
    change(RUBRIC)
    assert most(live) != before
    assert live.current().store is first.store


@pytest.mark.parametrize("text", ["[labs.scale.rubric]\ncorrectness = -1\n", "[labs.none]\n", "no toml"])
def test_a_mistake_leaves_the_labs_as_they_were(workspace: Workspace, text: str) -> None:
    live = LiveWorkspace(workspace)
    first = live.current()
    kept = Path("grader.toml").read_text("utf-8")
    change(text)
    assert live.current() is first
    write_atomically(Path("grader.toml"), f"{kept}{RUBRIC}".encode())
    assert most(live) != first.registry.get("scale").manifest.rubric.max_score


def test_later_work_is_scored_by_the_changed_points(workspace: Workspace) -> None:
    send(workspace)
    with Records(workspace) as records, open_work(CPU) as work:
        handler = CourseJobs(workspace, records.store)

        def points() -> float:
            job = records.store.jobs.claim("d", records.store.jobs.waiting_needs())
            assert job is not None
            reply = Reply.decode(work(handler.ticket(job).encode()))
            return handler.record(job, reply).score.report.max_score

        assert points() == 100
        change(RUBRIC)
        send(workspace, WRONG, student="bob")
        assert points() == 40
