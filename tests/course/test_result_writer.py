"""What a run keeps, and what the next one finds again."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from grader.course import scoring as module
from grader.course.known import Known
from grader.course.records import Records
from grader.course.result_writer import ResultWriter
from grader.course.versions import LabVersions, Versions
from grader.course.workspace import open_workspace
from grader.grading.batch import Graded
from grader.model.devices import by_name
from grader.model.facts import Facts
from grader.model.report import Isolation
from grader.model.submission import Submission
from grader.model.verdict import Verdict
from tests.store.examples import NOON, T4, fast_report, submission

ADA, KEY = submission("ada"), ("ada", "row-sum")


@pytest.fixture
def records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Records]:
    monkeypatch.chdir(tmp_path)
    with Records(open_workspace()) as opened:
        yield opened


@pytest.fixture
def writer(records: Records) -> ResultWriter:
    return writer_of(records)


def writer_of(records: Records, sandbox: str = "docker", *, trusted: bool = False) -> ResultWriter:
    isolation = Isolation(sandbox=sandbox, trusted=trusted)
    workspace = open_workspace()
    versions = Versions(workspace=workspace, labs=LabVersions(workspace), engine=T4, isolation=isolation)
    return ResultWriter(records, versions)


def graded(work: Submission, score: float = 50, verdict: Verdict = Verdict.ACCEPTED) -> Graded:
    report = fast_report(work, score=score, verdict=verdict)
    facts = (
        None
        if verdict is Verdict.NOT_GRADABLE
        else Facts(
            lab=work.lab,
            language=work.language,
            engine=T4.kind,
            device=by_name(T4.device),
            isolation=Isolation(sandbox="docker", trusted=False),
            seed=1,
            kernels=(),
        )
    )
    return Graded(submission=work, report=report, facts=facts, seed=1, seconds=1.0)


def keep(writer: ResultWriter, *all_graded: Graded) -> None:
    for each in all_graded:
        writer.submit([each.submission])
        writer.keep(each)


def test_what_is_kept_is_known_again_with_its_files(records: Records, writer: ResultWriter) -> None:
    keep(writer, graded(ADA))
    prepared = writer.prepare([ADA, submission("bob", text="other")])
    assert [result.report.student for result in prepared.results] == ["ada"]
    assert [each.student for each in prepared.todo] == ["bob"]
    (result,) = records.latest_all()
    assert records.files(result.score.key) == ADA.files


def test_what_was_not_gradable_is_tried_again(writer: ResultWriter) -> None:
    keep(writer, graded(ADA, verdict=Verdict.NOT_GRADABLE))
    assert writer.prepare([ADA]).todo == (ADA,)


def test_another_isolating_sandbox_needs_no_second_run(records: Records, writer: ResultWriter) -> None:
    keep(writer, graded(ADA))
    assert writer_of(records, "bubblewrap").prepare([ADA]).results
    assert writer_of(records, trusted=True).prepare([ADA]).todo == (ADA,)


def test_earlier_work_submitted_again_is_the_newest(records: Records, writer: ResultWriter) -> None:
    later = submission("ada", text="later")
    keep(writer, graded(ADA, 10), graded(later, 20))
    assert records.latest(*KEY).report.score == 20
    writer.prepare([ADA])
    assert records.latest(*KEY).report.score == 10
    assert records.states()[KEY] == Known(verdict=Verdict.ACCEPTED, submission=ADA.digest)


def test_a_refused_submission_is_stored_once_for_each_reason(writer: ResultWriter) -> None:
    archive = replace(ADA, files=())
    refused = fast_report(archive, verdict=Verdict.OVER_THE_LIMIT)
    first = writer.refuse(archive, refused)
    assert writer.refuse(archive, refused).score.id == first.score.id
    assert writer.refuse(archive, replace(refused, file="another")).score.id != first.score.id


def test_a_clock_that_is_set_back_hides_no_result(
    records: Records, writer: ResultWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter(NOON - timedelta(hours=number) for number in range(100))

    class Clock:
        @staticmethod
        def now(zone: object) -> datetime:
            assert zone is not None
            return next(times)

    monkeypatch.setattr(module, "datetime", Clock)
    for score in (10, 20, 30):
        keep(writer, graded(submission("ada", text=str(score)), score))
        assert records.latest(*KEY).report.score == score
