"""A student's attempt from the portal or a program is stored once, or refused with the rule that says why."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from grader.course.extensions import extend
from grader.course.records import Records
from grader.course.refused import RefusedError
from grader.course.staff import Staff
from grader.course.submit import API, submit
from grader.course.uploads import Upload, UploadedFile
from grader.course.workspace import Workspace
from grader.model.reason import Reason
from grader.store.job_values import JobState, Lane
from grader.store.values import SubmissionKey
from tests.course.small_course import RIGHT, WRONG, send, small_course, tarred, upload, write_rules, zipped


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str) -> Workspace:
    monkeypatch.chdir(tmp_path)
    return small_course(tmp_path, url)


@pytest.fixture
def local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sqlite_url: str) -> Workspace:
    monkeypatch.chdir(tmp_path)
    return small_course(tmp_path, sqlite_url)


def refused(workspace: Workspace, upload: Upload) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        submit(workspace, "ada", upload)
    with Records(workspace) as records:
        assert records.store.attempts.list() == ()
        assert records.store.submissions.list() == ()
    return caught.value


def files_of(workspace: Workspace, upload: Upload) -> list[str]:
    """The names of the files that are stored of ``upload``."""
    made = submit(workspace, "ada", upload)
    with Records(workspace) as records:
        found = records.store.attempts.find(made.attempt)
        assert found is not None
        key = SubmissionKey(student="ada", lab=made.lab, digest=found.attempt.submission or "")
        return [file.name for file in records.files(key)]


def test_an_attempt_waits_in_the_lane_of_students(workspace: Workspace) -> None:
    made = send(workspace)
    assert (made.number, made.is_new, made.ignored) == (1, True, ())
    with Records(workspace) as records:
        job = records.store.jobs.find(made.job)
        assert job is not None
        assert (job.key.student, job.lane, job.state) == ("ada", Lane.INTERACTIVE, JobState.WAITING)
        assert not job.trusted
        (attempt,) = records.store.attempts.list()
        assert attempt.submission == job.key.digest


def test_nothing_is_submitted_twice(workspace: Workspace) -> None:
    first = send(workspace, key="one")
    assert send(workspace, key="one").attempt == first.attempt
    assert send(workspace, key="two").attempt == first.attempt
    newer = send(workspace, WRONG, key="three")
    assert (newer.number, newer.is_new) == (2, True)
    with pytest.raises(RefusedError) as caught:
        send(workspace, WRONG, key="one")
    assert caught.value.reason.code == "submit-key-used"
    with Records(workspace) as records:
        states = [job.state for job in records.store.jobs.list()]
        assert sorted(states) == [JobState.SUPERSEDED, JobState.WAITING]


def test_the_same_key_after_the_deadline_is_the_same_attempt(local: Workspace) -> None:
    first = send(local, key="one")
    write_rules('due = "2020-01-01"')
    assert send(local, key="one").attempt == first.attempt


def test_requests_at_once_are_one_attempt(workspace: Workspace) -> None:
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: send(workspace, key="one"), range(4)))
    assert len({each.attempt for each in made}) == 1
    assert [each.is_new for each in made].count(True) == 1


def test_requests_at_once_keep_to_the_limit(workspace: Workspace) -> None:
    write_rules('attempts = "1"')

    def attempt(number: int) -> bool:
        try:
            return send(workspace, f"{RIGHT}// {number}\n").is_new
        except RefusedError:
            return False

    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(attempt, range(4)))
    assert made.count(True) == 1


def test_an_attempt_that_is_replaced_before_it_runs_takes_no_token(local: Workspace) -> None:
    write_rules('attempts = "3"')
    for number in range(5):
        assert send(local, f"{RIGHT}// {number}\n").number == number + 1
    _claim(local)
    assert send(local, f"{RIGHT}// 5\n").number == 6
    # The content of the first attempt comes again: it waits, and takes a token of its own.
    assert send(local, f"{RIGHT}// 0\n").number == 7
    _claim(local)
    assert send(local, f"{RIGHT}// 6\n").number == 8
    with pytest.raises(RefusedError) as caught:
        send(local, WRONG)
    assert "rule-no-attempts-left" in _codes(caught.value.reason)


def _claim(workspace: Workspace) -> None:
    """Let the job that waits run."""
    with Records(workspace) as records:
        assert records.store.jobs.claim("d", [*records.store.jobs.waiting_needs()]) is not None


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ('due = "2020-01-01"', "rule-closed"),
        ('opens = "2150-01-01"', "rule-opens"),
    ],
)
def test_a_date_refuses_with_its_rule(local: Workspace, rules: str, says: str) -> None:
    write_rules(rules)
    why = refused(local, upload()).reason
    assert why.code == "attempt-not-accepted"
    assert says in _codes(why)


@pytest.mark.parametrize(
    ("limit", "says"),
    [
        ("1", "rule-no-attempts-left"),
        ("unlimited, 10 minutes apart", "rule-next-attempt"),
        ("1 a day", "rule-next-attempt"),
    ],
)
def test_a_limit_refuses_with_its_rule(local: Workspace, limit: str, says: str) -> None:
    write_rules(f'attempts = "{limit}"')
    send(local)
    with pytest.raises(RefusedError) as caught:
        send(local, WRONG)
    assert says in _codes(caught.value.reason)


def test_an_extension_lets_one_student_submit(local: Workspace) -> None:
    write_rules('due = "2020-01-01"')
    extend(local, "ada", "scale", Staff(because="ill", by="tina"), until="2150-01-01")
    assert send(local).is_new
    with pytest.raises(RefusedError):
        send(local, student="bob")


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (Upload(lab="scale"), "upload-empty"),
        (Upload(files=(UploadedFile(name="", data=b""),), text=" \n", lab="scale"), "upload-empty"),
        (upload(name="../../etc/cron.d/a.cu"), "upload-name"),
        (upload(name="C:\\a.cu"), "upload-name"),
        (upload(name="notes.txt"), "upload-refused"),
        (upload(RIGHT + " " * 300_000), "upload-refused"),
        (Upload(text="not a kernel", lab="scale"), "upload-refused"),
        (upload(lab="matmul"), "lab-unknown"),
        (upload(name="main.cu", lab=""), "upload-lab-unknown"),
    ],
)
def test_what_is_no_work_is_refused_and_not_stored(local: Workspace, sent: Upload, code: str) -> None:
    assert refused(local, sent).reason.code == code


def test_a_refusal_takes_no_attempt(local: Workspace) -> None:
    write_rules('attempts = "1"')
    refused(local, upload(name="notes.txt"))
    assert send(local).is_new


def test_the_lab_is_recognised_by_the_name_of_the_file(local: Workspace) -> None:
    assert submit(local, "ada", upload(name="scale_v2.cu", lab="")).lab == "scale"


def test_pasted_text_becomes_a_file_of_its_language(local: Workspace) -> None:
    assert files_of(local, Upload(text=RIGHT.replace("\n", "\r\n"), lab="scale")) == ["pasted.cu"]


def test_several_files_are_one_submission(local: Workspace) -> None:
    files = tuple(
        UploadedFile(name=name, data=data.encode())
        for name, data in {"a.cu": RIGHT, "a.cuh": "#pragma once\n"}.items()
    )
    assert files_of(local, Upload(files=files, lab="scale")) == ["a.cu", "a.cuh"]


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("work.zip", zipped),
        ("work.tar", lambda files: tarred(files, "w")),
        ("work.tar.gz", tarred),
        ("work.tgz", tarred),
        ("work.tar.xz", lambda files: tarred(files, "w:xz")),
        ("work.tar.bz2", lambda files: tarred(files, "w:bz2")),
    ],
)
def test_archives_are_opened(
    local: Workspace, name: str, make: Callable[[Mapping[str, bytes]], bytes]
) -> None:
    data = make({"work/scale.cu": RIGHT.encode(), "work/notes.txt": b"x"})
    assert files_of(local, Upload(files=(UploadedFile(name=name, data=data),), lab="scale")) == ["scale.cu"]


def test_another_client_has_keys_of_its_own(local: Workspace) -> None:
    first = send(local, key="one")
    again = submit(local, "ada", upload(WRONG), client=API, key="one")
    assert (again.is_new, again.number) == (True, 2)
    assert again.attempt != first.attempt


def _codes(why: Reason) -> set[str]:
    """The codes of a statement and of those inside it."""
    return {why.code}.union(*map(_codes, why.nested()))
