"""The dispatcher: from the queue in the store to an executor, and back with the results.

One dispatcher at a time works on a store: it holds a claim, which it renews. The one after a dispatcher that was killed
takes over its jobs. What is in flight is little, so that the queue decides what runs next.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol, Self

from grader.errors import InfrastructureError, UserError
from grader.execution.device_health import DeviceHealth
from grader.execution.paused import paused_by
from grader.execution.port import Executor, Outcome, OutcomeKind
from grader.execution.ticket import Reply, Ticket
from grader.logs import Event, log
from grader.model.needs import ComputeDevice
from grader.sandbox.process_identity import is_dead, own_identity
from grader.store.job_values import Job, JobRecord, JobState, WorkerEntry
from grader.store.ports import Store
from grader.store.values import Score

CLAIM = "dispatcher"
"""The key of the claim that a dispatcher holds."""

STOP = "dispatcher stops"
"""The key of the claim that asks the dispatcher to end."""

LEASE_SECONDS = 30.0

_RENEW_SECONDS = LEASE_SECONDS / 6
_SHOW_SECONDS = 1.0
_RETRY_SECONDS = 1.0


class JobHandler(Protocol):
    """What the course knows about jobs."""

    def ticket(self, job: Job) -> Ticket:
        """The ticket of the current attempt. Raises: ``GraderError`` if the job cannot be graded here."""

    def record(self, job: Job, reply: Reply) -> JobRecord:
        """The result in ``reply``. Raises: ``InfrastructureError`` if it has none, or is not about ``job``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A job that left the queue: its score, or ``None`` if it failed or its result was discarded."""

    job: Job
    score: Score | None


class Dispatcher:
    """Context manager: feeds ``executor`` from the queue of ``store`` while it is open."""

    def __init__(
        self, store: Store, executor: Executor, handler: JobHandler, health: DeviceHealth | None = None
    ) -> None:
        self._store = store
        self._executor = executor
        self._handler = handler
        self._health = health or DeviceHealth()
        self._owner = own_identity()
        self._flying: dict[tuple[int, int], Job] = {}
        self._renewed = self._shown = 0.0
        self._listed: list[WorkerEntry] | None = None
        self._known: set[str] = set()
        self._paused: tuple[float, frozenset[str]] = (0.0, frozenset())

    def __enter__(self) -> Self:
        """Raises: ``UserError`` if another dispatcher works on the store."""
        holder = self._store.claims.holder(CLAIM)
        if holder is not None and is_dead(holder.owner):
            self._store.claims.release(CLAIM, holder.owner)
        if not self._store.claims.claim(CLAIM, self._owner, LEASE_SECONDS):
            msg = "Another dispatcher works on this store."
            raise UserError(
                msg, hint="End it with `grader workers stop`, or wait until its lease of 30 s lapses."
            )
        self._renewed = time.monotonic()
        taken = self._store.jobs.take_over(self._owner)
        if taken:
            log(Event.JOBS_TAKEN_OVER, count=taken)
        try:
            self._executor.start()
        except BaseException:
            self._store.claims.release(CLAIM, self._owner)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """End the workers; jobs that run wait for the next dispatcher."""
        try:
            self._executor.close()
        finally:
            self._store.workers.replace([])
            self._store.claims.release(CLAIM, self._owner)

    @property
    def running(self) -> int:
        """How many attempts are in flight."""
        return len(self._flying)

    @property
    def is_asked_to_stop(self) -> bool:
        """Whether somebody asked the dispatcher to end."""
        return self._store.claims.holder(STOP) is not None

    @property
    def has_work(self) -> bool:
        """Whether an attempt is in flight, or a job waits that a device with room can run."""
        waiting = self._store.jobs.waiting_needs() if not self._flying else frozenset()
        return bool(self._flying) or any(
            needs.met_by(device) for device in set(self._room()) for needs in waiting
        )

    def step(self, seconds: float = 0.2, *, feed: bool = True) -> list[Finished]:
        """Hand over what there is room for, and record what ended within ``seconds``.

        Raises: ``InfrastructureError`` if another dispatcher took over.
        """
        self._renew()
        if feed:
            self._feed()
        outcomes = list(self._executor.outcomes(seconds))
        for each in self._executor.progress():
            self._store.jobs.entered(each.job, each.attempt, each.stage)
        finished = list(self._settle_all(outcomes))
        self._show()
        return finished

    def _feed(self) -> None:
        room = [device for device in self._room() if self._health.usable(device)]
        if not room:
            return
        waiting = self._store.jobs.waiting_needs()
        for device in room:
            fitting = [needs for needs in waiting if needs.met_by(device)]
            job = self._store.jobs.claim(self._owner, fitting) if fitting else None
            if job is None:
                continue
            try:
                ticket = self._handler.ticket(job)
            except (UserError, InfrastructureError) as error:
                self._lose(job, str(error))
                continue
            self._flying[job.id, job.attempts] = job
            self._executor.hand(ticket.encode(), job.id, job.attempts, device)

    def _room(self) -> list[ComputeDevice]:
        """The devices with room that are not paused."""
        room = self._executor.room()
        asked, paused = self._paused
        ids = {device.id for device in room}
        if time.monotonic() - asked >= _SHOW_SECONDS or not ids <= self._known:
            self._known |= ids
            paused = frozenset(device for device in self._known if paused_by(self._store.claims, device))
            self._paused = (time.monotonic(), paused)
        return [device for device in room if device.id not in paused]

    def _settle_all(self, outcomes: Iterable[Outcome]) -> Iterable[Finished]:
        for outcome in outcomes:
            job = self._flying.pop((outcome.job, outcome.attempt), None)
            if job is not None and (finished := self._settled(job, outcome)) is not None:
                yield finished

    def _settled(self, job: Job, outcome: Outcome) -> Finished | None:
        if outcome.kind is OutcomeKind.LOST:
            return self._failed(job, outcome, outcome.why)
        try:
            record = self._handler.record(job, Reply.decode(outcome.reply))
        except InfrastructureError as error:
            return self._failed(job, outcome, str(error))
        self._health.worked(outcome.device)
        return Finished(
            job=job, score=self._store.jobs.record(job.id, job.attempts, record, datetime.now(UTC))
        )

    def _failed(self, job: Job, outcome: Outcome, why: str) -> Finished | None:
        self._health.failed(outcome.device, why)
        return self._lose(job, why)

    def _lose(self, job: Job, why: str) -> Finished | None:
        state = self._store.jobs.lost(job.id, job.attempts, why, _RETRY_SECONDS)
        log(Event.JOB_LOST, job=job.id, attempt=job.attempts, state=state, error=why)
        return Finished(job=job, score=None) if state is JobState.FAILED else None

    def _renew(self) -> None:
        now = time.monotonic()
        if now - self._renewed < _RENEW_SECONDS:
            return
        if not self._store.claims.claim(CLAIM, self._owner, LEASE_SECONDS):
            msg = "another dispatcher took over this store, because this one did not renew its lease in time"
            raise InfrastructureError(msg)
        self._renewed = now

    def _show(self) -> None:
        now = time.monotonic()
        if now - self._shown < _SHOW_SECONDS:
            return
        self._shown = now
        aside = self._health.set_aside
        workers = [
            WorkerEntry(
                name=worker.name,
                host=worker.host,
                device=worker.device,
                since=worker.since,
                job=next(iter(worker.jobs), None),
                set_aside=aside.get(worker.device.id, ""),
            )
            for worker in self._executor.workers()
        ]
        if workers != self._listed:
            self._store.workers.replace(workers)
            self._listed = workers
