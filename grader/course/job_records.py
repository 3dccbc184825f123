"""Jobs as the course knows them: the ticket of a job, and the facts and score in a reply."""

from datetime import UTC, datetime

import msgspec

from grader.course.live_workspace import LiveWorkspace
from grader.course.scoring import Scorer
from grader.course.versions import LabVersions, Versions, toolchain_version
from grader.course.workspace import Workspace
from grader.errors import InfrastructureError, UserError
from grader.execution.ticket import Reply, Ticket, ticket_files
from grader.model.facts import FACTS_VERSION, decode_facts
from grader.model.report import EngineInfo
from grader.store.job_values import Job, JobRecord
from grader.store.ports import Store
from grader.store.values import StoredFacts


class CourseJobs:
    """``JobHandler`` for the course of a workspace."""

    def __init__(self, workspace: Workspace, store: Store) -> None:
        self._live = LiveWorkspace(workspace)
        self._store = store
        self._use(workspace)

    def ticket(self, job: Job) -> Ticket:
        """See the protocol. Raises: ``UserError`` if the lab is gone, or the store keeps no files."""
        self._follow()
        files = self._store.submissions.files(job.key)
        stored = self._store.submissions.find(job.key)
        if stored is None or not files:
            msg = f"The store keeps no files of {job.key.student} for {job.key.lab}."
            raise UserError(msg, hint="Submit them again.")
        return Ticket(
            job=job.id,
            attempt=job.attempts,
            lab=job.key.lab,
            lab_code=self._labs.code(job.key.lab).digest,
            toolchain=toolchain_version(self._workspace),
            language=stored.language,
            files=ticket_files(files),
            seed=job.seed,
            trusted=job.trusted,
        )

    def record(self, job: Job, reply: Reply) -> JobRecord:
        """See the protocol."""
        self._follow()
        if reply.problem:
            raise InfrastructureError(reply.problem)
        try:
            facts = decode_facts(reply.facts)
        except (ValueError, msgspec.DecodeError) as error:
            msg = f"{reply.host} sent no facts that this release reads: {error}"
            raise InfrastructureError(msg) from error
        if (facts.lab, facts.seed, facts.isolation.trusted) != (job.key.lab, job.seed, job.trusted):
            msg = f"{reply.host} sent facts that are not about job {job.id}"
            raise InfrastructureError(msg)
        submission = self._store.submissions.find(job.key)
        if submission is None:
            msg = "the submission was forgotten"
            raise InfrastructureError(msg)
        engine = EngineInfo(kind=facts.engine, device=facts.device.name)
        versions = Versions(
            workspace=self._workspace, labs=self._labs, engine=engine, isolation=facts.isolation
        )
        stored = StoredFacts(
            key=versions.facts_key_of(job.key.digest, job.key.lab),
            version=FACTS_VERSION,
            data=reply.facts,
            seed=facts.seed,
            created_at=datetime.now(UTC),
            seconds=reply.seconds,
        )
        report = self._scorer.report(submission.identity, stored)
        if report is None:
            msg = f"{reply.host} sent facts of another release"
            raise InfrastructureError(msg)
        self._scorer.keep_versions(job.key.lab)
        return JobRecord(
            facts=stored,
            score=self._scorer.new_score(job.key, stored, report),
            device=engine.device,
            seconds=reply.seconds,
        )

    def _follow(self) -> None:
        """Use the labs as staff have changed them: one job is scored by one state of them."""
        current = self._live.current()
        if current is not self._workspace:
            self._use(current)

    def _use(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._labs = LabVersions(workspace)
        self._scorer = Scorer(workspace, self._store, self._labs)
