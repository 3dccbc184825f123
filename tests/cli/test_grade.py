"""``grader grade``: what it selects, what its files hold, and what comes first."""

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.cli.app import run
from grader.course.records import Result
from grader.course.result_writer import ResultWriter
from grader.errors import LabError
from grader.grading.batch import Batch, Graded
from grader.labs.lab import Lab
from grader.model.facts import Facts
from grader.model.submission import Submission

RESULTS = Path("results", "results.json")
TRUSTED = ["--engine", "emulator", "--trust-submissions"]


@pytest.fixture(autouse=True)
def _course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for lab, students in {"transpose": ("ada", "bob", "cyd"), "row-sum": ("ada",)}.items():
        for student in students:
            submit(student, lab)


def submit(student: str, lab: str = "transpose", text: str = "no C at all") -> None:
    file = Path("class", lab, f"{student}.cu")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def grade(*typed: str, code: int = 0) -> None:
    assert run(["grade", *typed, *TRUSTED]) == code


def reports(file: Path = RESULTS) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(file.read_bytes())["reports"]
    return found


def names(file: Path = RESULTS) -> list[tuple[str, str]]:
    return [(report["lab"], report["student"]) for report in reports(file)]


CLASS = [("row-sum", "ada"), ("transpose", "ada"), ("transpose", "bob"), ("transpose", "cyd")]


def test_grading_one_file_leaves_the_results_of_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    grade("class")
    submit("bob", text="changed")
    capsys.readouterr()
    grade("class/transpose/bob.cu", "--json", "one.json")
    assert names(Path("one.json")) == [("transpose", "bob")]
    assert names() == CLASS
    with Path("results", "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        assert len(list(csv.DictReader(file))) == len(CLASS)
    page = Path("results", "report.html").read_text("utf-8")
    assert all(f"{student}" in page for _, student in CLASS)
    assert "1 to grade" in capsys.readouterr().err


def test_a_refused_submission_stays_in_the_results() -> None:
    Path("class", "transpose", "dan.zip").write_bytes(b"PK")
    grade("class", code=1)
    grade("class/transpose/ada.cu")
    assert ("transpose", "dan") in names()


def test_earlier_work_submitted_again_counts_again() -> None:
    grade("class/transpose/ada.cu")
    first = reports()[0]["reason"]
    submit("ada", text="__global__ void transpose(float *a) {}")
    grade("class/transpose/ada.cu")
    assert reports()[0]["reason"] != first
    submit("ada")
    grade("class/transpose/ada.cu")
    assert reports()[0]["reason"] == first


@pytest.mark.parametrize(
    ("options", "selected"),
    [
        (["--student", "ada"], [("row-sum", "ada"), ("transpose", "ada")]),
        (["--student", "ada", "--student", "CYD", "--lab", "transpose"], [CLASS[1], CLASS[3]]),
        (["--lab", "transpose", "--lab", "row-sum"], CLASS),
        (["--only", "changed"], [("transpose", "bob")]),
        (["--only", "failed,changed"], CLASS),
        (["--only", "not-gradable"], []),
    ],
    ids=lambda value: " ".join(value) if value and isinstance(value[0], str) else "",
)
def test_a_selection_is_what_a_named_file_holds(options: list[str], selected: list[tuple[str, str]]) -> None:
    grade("class")
    submit("bob", text="changed")
    grade("class", *options, "--json", "some.json")
    assert names(Path("some.json")) == selected
    assert names() == CLASS


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--student", "adda"], "Did you mean ada?"),
        (["--only", "failed,late"], "--only 'failed,late'"),
        (["--lab", "transpose", "--lab", "sums"], "There is no lab called 'sums'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_selection_of_nothing_is_one_line(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    grade("class", *options, code=2)
    shown = capsys.readouterr().err.strip()
    assert message in shown
    assert "\n" not in shown


PROGRAM = [sys.executable, "-c", "from grader.cli.app import main; main()", "grade", "class", *TRUSTED]


def test_what_is_stored_when_the_interrupt_comes_is_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stored = ResultWriter.keep

    def interrupted(writer: ResultWriter, graded: Graded) -> Result:
        stored(writer, graded)
        raise KeyboardInterrupt

    monkeypatch.setattr(ResultWriter, "keep", interrupted)
    grade("class", "--jobs", "1", code=130)
    assert len(names()) == 1
    assert "1 graded, 3 left" in capsys.readouterr().err


def submit_folders(*students: str) -> None:
    """One content, in files of one name."""
    for student in students:
        submit(f"{student}/transpose")


def test_one_content_runs_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    submit_folders("dan", "eve", "fay")
    ran: list[str] = []
    graded = Batch._graded  # noqa: SLF001 - counts what runs

    def counting(batch: Batch, submission: Submission) -> Graded:
        ran.append(f"{submission.lab} {submission.student}")
        return graded(batch, submission)

    monkeypatch.setattr(Batch, "_graded", counting)
    grade("class")
    assert sorted(ran) == [*(f"{lab} {student}" for lab, student in CLASS), "transpose dan"]
    assert names() == [*CLASS, *(("transpose", student) for student in ("dan", "eve", "fay"))]
    assert {each["verdict"] for each in reports()} == {"failed to build"}
    assert "2 of them" in capsys.readouterr().err
    grade("class", "--fresh", "--lab", "transpose")
    assert len(ran) == 5 + 6


def test_the_same_content_runs_again_where_the_first_gave_no_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = Batch._attempt  # noqa: SLF001 - fails once
    calls: list[str] = []

    def failing(batch: Batch, lab: Lab, submission: Submission, seed: int) -> Facts:
        calls.append(submission.student)
        if calls == [submission.student]:
            raise LabError("broken")  # noqa: EM101 - a fault of the lab, not of the submission
        return facts(batch, lab, submission, seed)

    monkeypatch.setattr(Batch, "_attempt", failing)
    submit_folders("dan", "eve", "fay")
    grade("class", *(f"--student={student}" for student in ("dan", "eve", "fay")), code=1)
    verdicts = [each["verdict"] for each in reports()]
    assert sorted(verdicts) == ["failed to build", "failed to build", "not gradable"]
    assert len(calls) == 3


def test_files_are_written_although_the_reader_left() -> None:
    with subprocess.Popen(PROGRAM, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as grader:
        assert grader.stdout is not None
        grader.stdout.close()
        _, errors = grader.communicate(timeout=300)
    assert b"Traceback" not in errors
    assert grader.returncode == 0
    assert names() == CLASS


def test_files_are_written_although_standard_output_is_full() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(PROGRAM, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert b"Standard output cannot be written" in done.stderr
    assert names() == CLASS


def test_a_results_file_on_a_full_disk_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    grade("class", "--csv", "/dev/full", code=2)
    shown = capsys.readouterr()
    assert "Cannot write /dev/full" in shown.err
    assert shown.out == ""
