"""Sample values for the store's tests."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

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
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.store.attempts import Attempt
from grader.store.ports import Store
from grader.store.rulings import Ruling
from grader.store.values import Decision, FactsKey, NewScore, Score, StoredFacts, SubmissionKey

NOON = datetime(2026, 3, 1, 12, 0, 0, 7, tzinfo=UTC)
T4 = EngineInfo(kind=EngineKind.EMULATOR, device="Tesla T4")
H200 = EngineInfo(kind=EngineKind.CUDA, device="NVIDIA H200")


def minutes(count: float) -> datetime:
    """``count`` minutes after noon."""
    return NOON + timedelta(minutes=count)


def submission(student: str = "student-01", lab: str = "row-sum", *, text: str = "kernel") -> Submission:
    """A submission of two files; another ``text`` is another work."""
    files = (
        SourceFile(name="main.cu", data=text.encode()),
        SourceFile(name="caf\udce9.cuh", data=b"\xff\0 not text"),
    )
    return Submission(
        student=student, lab=lab, language=Language.CUDA_C, files=files, path=f"week/{lab}/{student}"
    )


def key_of(submission: Submission) -> SubmissionKey:
    """The store's key of ``submission``."""
    return SubmissionKey(student=submission.student, lab=submission.lab, digest=submission.digest)


def facts_key(submission: Submission, *, engine: EngineInfo = T4, lab_code: str = "code") -> FactsKey:
    """The key of facts about ``submission``."""
    return FactsKey(
        submission=submission.digest,
        lab=submission.lab,
        lab_code=lab_code,
        engine=engine,
        toolchain="tools",
        trusted=False,
    )


def facts(submission: Submission, data: bytes = b"{}", **key: Any) -> StoredFacts:
    """Facts about ``submission``."""
    return StoredFacts(
        key=replace(facts_key(submission), **key),
        version=3,
        data=data,
        seed=2**127 + 5,
        created_at=NOON,
        seconds=1.25,
    )


def full_report(student: str, lab: str, score: float) -> Report:
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


def fast_report(
    submission: Submission,
    *,
    verdict: Verdict = Verdict.ACCEPTED,
    speedup: float = 2.0,
    score: float = 70.5,
    lab_version: str = "1.0",
) -> Report:
    """A report in which one kernel has ``verdict`` and ``speedup``."""
    full = full_report(submission.student, submission.lab, score)
    (kernel,) = full.kernels
    assert kernel.speedup is not None
    timed = replace(kernel, verdict=verdict, speedup=replace(kernel.speedup, value=speedup))
    return replace(full, verdict=verdict, lab_version=lab_version, kernels=(timed,))


def new_score(
    submission: Submission,
    report: Report | None = None,
    *,
    facts: str | None = None,
    lab_code: str = "code",
    rubric: str = "rubric",
    engine: EngineInfo = T4,
) -> NewScore:
    """A score of ``submission``."""
    return NewScore(
        key=key_of(submission),
        facts=facts,
        lab_code=lab_code,
        rubric=rubric,
        engine=engine,
        report=report or fast_report(submission),
    )


def put_score(store: Store, submission: Submission, report: Report | None = None, **more: Any) -> Score:
    """Store ``submission`` and a score of it."""
    store.submissions.put(submission, NOON)
    return store.scores.put(replace(new_score(submission, report), **more), NOON)


def decision(
    ruling: Ruling, submission: Submission | None = None, *, student: str = "student-01", lab: str = "row-sum"
) -> Decision:
    """A decision about one submission or, without it, about whatever the student submits."""
    return Decision(
        student=submission.student if submission else student,
        lab=submission.lab if submission else lab,
        submission=submission.digest if submission else None,
        ruling=ruling,
        who="ta",
        why="seen in class",
        decided_at=NOON,
    )


def attempt(
    student: str = "student-01",
    lab: str = "row-sum",
    *,
    source: str = "files",
    submission: str | None = "d" * 64,
    submitted_at: datetime = NOON,
    **more: Any,
) -> Attempt:
    """An attempt, received five minutes after noon."""
    return Attempt(
        student=student,
        lab=lab,
        source=source,
        submission=submission,
        submitted_at=submitted_at,
        received_at=minutes(5),
        **more,
    )
