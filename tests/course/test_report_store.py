"""The newest record is the last stored one, even if the clock changes."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from grader.course import report_store as module
from grader.course.report_store import ReportStore
from grader.course.workspace import open_workspace
from grader.grading.batch import Graded
from grader.model.report import EngineInfo, Isolation
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from tests.store.records import NOON, report


def graded(text: str, score: float) -> Graded:
    file = SourceFile(name="row_sum.cu", data=text.encode())
    submission = Submission(
        student="student-01", lab="row-sum", language=Language.CUDA_C, files=(file,), path="row_sum.cu"
    )
    return Graded(submission=submission, report=report("student-01", "row-sum", score), seed=1, seconds=1.0)


def test_a_clock_that_is_set_back_hides_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    times = iter([NOON, NOON - timedelta(hours=1), NOON - timedelta(minutes=59)])

    class Clock:
        @staticmethod
        def now(zone: object) -> datetime:
            assert zone is not None
            return next(times)

    monkeypatch.setattr(module, "datetime", Clock)
    engine = EngineInfo(kind=EngineKind.EMULATOR, device="Tesla T4")
    isolation = Isolation(sandbox="process", trusted=True)
    with ReportStore(open_workspace(), engine, isolation) as ledger:
        for number, score in enumerate([10, 20, 30]):
            ledger.keep(graded(f"// {number}", score))
            assert ledger.latest("student-01", "row-sum").report.score == score
