"""Sample records for store tests."""

from datetime import UTC, datetime, timedelta

from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.reason import as_written
from grader.model.report import (
    CaseReport,
    EngineInfo,
    KernelReport,
    Part,
    Report,
    Resources,
    Speedup,
    SpeedupKind,
    Visibility,
)
from grader.model.review import Decision, Review
from grader.model.run import EngineKind
from grader.model.submission import Language
from grader.model.verdict import Verdict
from grader.store.keys import RunKey
from grader.store.port import GradedRecord

NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)


def record(
    student: str = "student-01",
    lab: str = "row-sum",
    *,
    submission: str = "aa",
    engine: EngineKind = EngineKind.EMULATOR,
    minutes: float = 0,
    score: float = 70.5,
) -> GradedRecord:
    """A finished record, created ``minutes`` after noon."""
    key = RunKey(
        student=student,
        lab=lab,
        submission=submission,
        lab_version="bb",
        grader="cc",
        engine=EngineInfo(kind=engine, device="Tesla T4"),
        options="dd",
    )
    created_at = NOON + timedelta(minutes=minutes, microseconds=7)
    return GradedRecord(
        key=key, report=report(student, lab, score), seed=2**127 + 5, created_at=created_at, seconds=1.25
    )


def review(reason: str) -> Review:
    """A staff decision with ``reason``."""
    return Review(
        decision=Decision.CLEARED, reviewer="ta", reason=reason, decided_at="2024-03-01T12:00:00+00:00"
    )


def report(student: str, lab: str, score: float) -> Report:
    """A report in which every field has a value."""
    kernel = KernelReport(
        name="row_sum",
        verdict=Verdict.WRONG,
        reason=as_written("17 of 100 elements differ"),
        cases=(
            CaseReport(
                name="odd", visibility=Visibility.HIDDEN, verdict=Verdict.WRONG, reason=as_written("row 3")
            ),
        ),
        speedup=Speedup(value=0.1 + 0.2, low=0.25, high=0.5, kind=SpeedupKind.MODELLED, baseline="global"),
        seconds=1e-6,
        resources=Resources(registers=32, spill_bytes=0, shared_bytes=1024, occupancy=0.75, limiter="shared"),
        diagnostics=(
            Diagnostic(
                kind=DiagnosticKind.SHARED_RACE,
                severity=Severity.ERROR,
                message=as_written("<b>two threads</b>\nwrite"),
                file="naïve 👩‍💻.cu",
                line=12,
                count=3,
            ),
        ),
    )
    return Report(
        student=student,
        lab=lab,
        file=f"submissions/{lab}/{student}.cu",
        language=Language.CUDA_C,
        verdict=Verdict.WRONG,
        reason=as_written("row_sum is wrong"),
        score=score,
        max_score=100,
        parts=(Part(name="correctness", score=score, max_score=100, reason=as_written("most cases")),),
        kernels=(kernel,),
    )
