"""Submissions go through the queue to a worker, and their results are those of a grade."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.cli.app import USER_ERROR, run
from grader.cli.console import out
from grader.config import load
from grader.course.job_records import CourseJobs
from grader.course.job_work import open_work
from grader.course.workspace import open_workspace
from grader.errors import InfrastructureError
from grader.execution.ticket import Reply
from grader.model.needs import ComputeDevice
from grader.model.verdict import Verdict
from grader.store.job_values import Job, JobState
from grader.store.ports import Store
from grader.store.sql_store import open_store
from tests.labs.example_lab import folder_of_labs

RIGHT = (
    "__global__ void scale(const float *x, float *y, int n)\n"
    "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = 2 * x[i]; }\n"
)
CPU = ComputeDevice(id="cpu", engine="emulator", model="Tesla T4")


@pytest.fixture(autouse=True)
def _course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(out, "_width", 200)
    folder_of_labs(tmp_path)
    Path("reference", "scale", "global.cu").write_text(RIGHT, encoding="utf-8")
    Path("grader.toml").write_text(
        '[labs]\nfolders = ["labs"]\n[engine]\nkind = "emulator"\n[jobs]\ncount = 1\n', encoding="utf-8"
    )
    Path("class", "scale").mkdir(parents=True)
    for student, text in {"ada": RIGHT, "bob": RIGHT.replace("2 * x", "3 * x")}.items():
        Path("class", "scale", f"{student}.cu").write_text(text, encoding="utf-8")


@pytest.fixture
def store(_course: None) -> Iterator[Store]:
    store = open_store(load())
    yield store
    store.close()


def submit(*options: str) -> None:
    assert run(["queue", "submit", "class", "--trust-submissions", *options]) == 0


def jobs(store: Store) -> dict[str, Job]:
    """The newest job of each student."""
    return {job.key.student: job for job in store.jobs.list()}


def test_workers_grade_what_is_in_the_queue(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    submit()
    assert run(["workers", "start", "--until-empty"]) == 0
    verdicts = {score.key.student: score.verdict for score in store.scores.latest_all()}
    assert verdicts == {"ada": Verdict.ACCEPTED, "bob": Verdict.WRONG}
    done = jobs(store)
    assert {job.state for job in done.values()} == {JobState.DONE}
    for score in store.scores.latest_all():
        stored = store.facts.read(score.facts or "")
        assert stored is not None
        assert stored.seed == done[score.key.student].seed
    capsys.readouterr()
    submit()
    assert "2 submissions have a result already" in capsys.readouterr().err
    assert len(store.jobs.list()) == 2
    # `grader grade` takes the same facts: nothing runs again.
    assert run(["grade", "class", "--trust-submissions"]) == 0
    assert "2 unchanged" in capsys.readouterr().err


def test_grade_uses_the_executor(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    grade = ["grade", "class", "--trust-submissions", "--executor", "local"]
    assert run(grade) == 0
    assert {name: job.state for name, job in jobs(store).items()} == dict.fromkeys(
        ("ada", "bob"), JobState.DONE
    )
    reports = json.loads(Path("results", "results.json").read_bytes())["reports"]
    assert {each["student"]: each["verdict"] for each in reports} == {"ada": "accepted", "bob": "wrong"}
    with Path("grader.toml").open("a", encoding="utf-8") as file:
        file.write('[execution]\nexecutor = "local"\n[labs.scale.rubric]\ncorrectness = 40\n')
    assert run(["grade", "class", "--trust-submissions"]) == 0
    # No job for what has a result; the changed points count.
    assert len(store.jobs.list()) == 2
    (ada, _) = json.loads(Path("results", "results.json").read_bytes())["reports"]
    assert ada["max_score"] == 60
    capsys.readouterr()
    assert run([*grade, "--jobs", "2"]) == USER_ERROR
    assert "slots" in capsys.readouterr().err
    assert run(["grade", "class", "--executor", "carrier-pigeon"]) == USER_ERROR


def test_a_job_without_a_result_is_named_by_grade(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    grade = ["grade", "class", "--trust-submissions", "--executor", "local"]
    assert run(grade) == 0
    Path("class", "scale", "bob.cu").write_text(RIGHT, encoding="utf-8")
    with Path("grader.toml").open("a", encoding="utf-8") as file:
        file.write('[labs.scale.needs]\ndevice = "H100"\n')
    capsys.readouterr()
    assert run(grade) == 1
    assert f"job {jobs(store)['bob'].id}: bob for scale" in capsys.readouterr().err
    assert jobs(store)["bob"].state is JobState.WAITING


def test_jobs_are_listed_cancelled_and_retried(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    submit("--lane", "staff", "--device", "H100")
    job = jobs(store)["ada"]
    assert job.needs.device == "H100"
    assert run(["queue", "list", "--lab", "scale"]) == 0
    assert "device H100" in capsys.readouterr().out
    assert run(["queue", "cancel", str(job.id)]) == 0
    assert jobs(store)["ada"].state is JobState.CANCELLED
    assert run(["queue", "retry", str(job.id)]) == 0
    assert jobs(store)["ada"].state is JobState.WAITING
    assert run(["queue", "show", str(job.id)]) == 0
    shown = capsys.readouterr().out
    assert "cancelled" in shown
    assert "retried" in shown
    assert run(["queue", "cancel", "99"]) == USER_ERROR
    assert run(["queue", "list", "--state", "lost"]) == USER_ERROR
    assert run(["queue", "submit", "class", "--lane", "fast"]) == USER_ERROR


def test_a_lab_and_a_course_say_what_device_they_need(store: Store) -> None:
    manifest = Path("labs", "scale", "lab.toml")
    manifest.write_text(manifest.read_text("utf-8") + '\n[needs]\ncapability = "9.0"\n', encoding="utf-8")
    submit()
    assert {job.needs.capability for job in store.jobs.list()} == {(9, 0)}
    with Path("grader.toml").open("a", encoding="utf-8") as file:
        file.write("[labs.scale.needs]\nmemory_mib = 40000\n")
    submit("--lane", "interactive")
    assert {job.needs.memory_mib for job in store.jobs.list()} == {0, 40000}


def test_nobody_serves_a_queue_without_a_dispatcher(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["workers", "stop"]) == 0
    assert "No dispatcher" in capsys.readouterr().err
    assert run(["workers"]) == 0
    assert "No worker" in capsys.readouterr().err


@pytest.mark.parametrize(("change", "named"), [("toolchain", "release"), ("lab_code", "scale")])
def test_a_host_with_other_versions_refuses_by_name(store: Store, change: str, named: str) -> None:
    submit()
    handler = CourseJobs(open_workspace(), store)
    job = store.jobs.claim("d", store.jobs.waiting_needs())
    assert job is not None
    other: dict[str, Any] = {change: "other"}
    ticket = replace(handler.ticket(job), **other)
    with open_work(CPU) as work:
        reply = Reply.decode(work(ticket.encode()))
    assert named in reply.problem
    with pytest.raises(InfrastructureError, match=named):
        handler.record(job, reply)


def test_facts_that_are_not_of_the_job_are_refused(store: Store) -> None:
    submit()
    handler = CourseJobs(open_workspace(), store)
    first = store.jobs.claim("d", store.jobs.waiting_needs())
    assert first is not None
    with open_work(CPU) as work:
        reply = Reply.decode(work(handler.ticket(first).encode()))
    assert handler.record(first, reply).score.key == first.key
    with pytest.raises(InfrastructureError, match="not about job"):
        handler.record(replace(first, seed=first.seed + 1), reply)
    with pytest.raises(InfrastructureError, match="no facts"):
        handler.record(first, replace(reply, facts=b"{}"))
