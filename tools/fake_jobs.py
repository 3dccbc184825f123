"""Jobs of fake submissions, and what a course knows about them; ``tools.fake_work`` grades them."""

from datetime import UTC, datetime
from typing import Any

import msgspec

from grader.errors import InfrastructureError
from grader.execution.ticket import Reply, Ticket, ticket_files
from grader.model.reason import as_written
from grader.model.report import EngineInfo, Report
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.store.job_values import Job, JobRecord, NewJob
from grader.store.ports import Store
from grader.store.values import NewScore
from tools.fake_work import Found, Order

WORK = "tools.fake_work:open_work"


def fake_submission(student: str, order: Order | None = None, lab: str = "lab") -> Submission:
    """A submission that says what the fake work does with it."""
    words = msgspec.json.encode({"student": student, **msgspec.to_builtins(order or Order())})
    source = SourceFile(name="order.json", data=words)
    return Submission(student=student, lab=lab, language=Language.CUDA_C, files=(source,), path=student)


def submit(store: Store, student: str, order: Order | None = None, **job: Any) -> Job:
    """Add the job of a fake submission."""
    new = NewJob(**{"seed": 7, **job})
    return store.jobs.submit(fake_submission(student, order), new, datetime.now(UTC))


def ticket(number: int, order: Order | None = None, attempt: int = 1) -> Ticket:
    """A ticket that no store knows."""
    return Ticket(
        job=number,
        attempt=attempt,
        lab="lab",
        lab_code="code",
        toolchain="tools",
        language=Language.CUDA_C,
        files=ticket_files(fake_submission(f"s{number}", order).files),
        seed=number * 2**100,
        trusted=False,
    )


class FakeHandler:
    """``JobHandler``: every reply with facts is an accepted submission."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def ticket(self, job: Job) -> Ticket:
        """See the protocol."""
        files = self._store.submissions.files(job.key)
        return Ticket(
            job=job.id,
            attempt=job.attempts,
            lab=job.key.lab,
            lab_code="code",
            toolchain="tools",
            language=Language.CUDA_C,
            files=ticket_files(files),
            seed=job.seed,
            trusted=job.trusted,
        )

    def record(self, job: Job, reply: Reply) -> JobRecord:
        """See the protocol."""
        if reply.problem:
            raise InfrastructureError(reply.problem)
        found = msgspec.json.decode(reply.facts, type=Found)
        assert found.seed == job.seed
        return self.record_of(job, found.device, reply.seconds)

    def record_of(self, job: Job, device: str, seconds: float) -> JobRecord:
        """The record of an accepted submission."""
        report = Report(
            student=job.key.student,
            lab=job.key.lab,
            file="order.json",
            language=Language.CUDA_C,
            verdict=Verdict.ACCEPTED,
            reason=as_written("right"),
            score=1.0,
            max_score=1.0,
            parts=(),
            kernels=(),
        )
        score = NewScore(
            key=job.key,
            facts=None,
            lab_code="code",
            rubric="rubric",
            engine=EngineInfo(kind=EngineKind.CUDA, device=device),
            report=report,
        )
        return JobRecord(facts=None, score=score, device=device, seconds=seconds)
