"""What operators look at: the queue by lane, faults, workers and their devices, disk and versions."""

import platform
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from grader import __version__
from grader.course.queue import UNFINISHED
from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.execution import paused
from grader.execution.dispatcher import CLAIM, LEASE_SECONDS
from grader.model.text import printable
from grader.store.job_values import Job, JobState, Lane, WorkerEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneState:
    """How many jobs of a lane wait and run, and since when the oldest waits."""

    lane: Lane
    waiting: int
    running: int
    oldest: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerState:
    """A worker, and who ``paused`` its device; empty: it is not paused."""

    worker: WorkerEntry
    paused: str

    @property
    def is_idle(self) -> bool:
        """Whether it could get a job."""
        return self.worker.job is None and not self.paused and not self.worker.set_aside


@dataclass(frozen=True, slots=True, kw_only=True)
class Operations:
    """The state of the machinery. ``seen`` is the last sign of life of the dispatcher; ``None``: there is none.

    ``failed`` jobs wait for a person; ``retried`` ones were lost at least once and are not finished.
    """

    seen: datetime | None
    lanes: tuple[LaneState, ...]
    failed: tuple[Job, ...]
    retried: tuple[Job, ...]
    workers: tuple[WorkerState, ...]

    @property
    def waiting(self) -> int:
        """How many jobs wait in all lanes."""
        return sum(lane.waiting for lane in self.lanes)

    @property
    def oldest(self) -> datetime | None:
        """Since when the oldest job waits."""
        return min((lane.oldest for lane in self.lanes if lane.oldest is not None), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """Releases, and bytes on the disk of the course's folder."""

    grader: str
    python: str
    system: str
    database: str
    disk_free: int
    disk_total: int


def operations(workspace: Workspace, unfinished: Iterable[Job] | None = None) -> Operations:
    """The state now, with the ``unfinished`` jobs if they were read already."""
    with Records(workspace) as records:
        store = records.store
        holder = store.claims.holder(CLAIM)
        jobs = store.jobs.list(UNFINISHED) if unfinished is None else tuple(unfinished)
        workers = tuple(
            WorkerState(worker=each, paused=paused.paused_by(store.claims, each.device.id))
            for each in store.workers.list()
        )
    return Operations(
        seen=None if holder is None else holder.lease_until - timedelta(seconds=LEASE_SECONDS),
        lanes=tuple(_lane(lane, jobs) for lane in Lane),
        failed=tuple(job for job in jobs if job.state is JobState.FAILED),
        retried=tuple(job for job in jobs if job.state is not JobState.FAILED and job.why),
        workers=workers,
    )


def installation(workspace: Workspace) -> Installation:
    """What runs here, and how much room is left."""
    usage = shutil.disk_usage(workspace.config.base)
    return Installation(
        grader=__version__,
        python=platform.python_version(),
        system=platform.platform(terse=True),
        database=(workspace.config.store.url or "sqlite").partition(":")[0].partition("+")[0],
        disk_free=usage.free,
        disk_total=usage.total,
    )


def pause(workspace: Workspace, device: str, who: str) -> None:
    """Give the device with this id no more jobs. Raises: ``UserError`` if no worker has it, or it is paused."""
    with Records(workspace) as records:
        if device not in {each.device.id for each in records.store.workers.list()}:
            msg = f"No worker has the device {printable(device)}."
            raise UserError(msg, hint="See `grader workers`.")
        if not paused.pause(records.store.claims, device, who):
            owner = paused.paused_by(records.store.claims, device)
            msg = f"{printable(owner)} has paused this device already."
            raise UserError(msg)


def resume(workspace: Workspace, device: str) -> None:
    """Let the device get jobs again. Raises: ``UserError`` if it is not paused."""
    with Records(workspace) as records:
        if not paused.resume(records.store.claims, device):
            msg = f"The device {printable(device)} is not paused."
            raise UserError(msg)


def _lane(lane: Lane, jobs: Iterable[Job]) -> LaneState:
    own = [job for job in jobs if job.lane is lane]
    waiting = [job for job in own if job.state is JobState.WAITING]
    return LaneState(
        lane=lane,
        waiting=len(waiting),
        running=sum(job.state is JobState.RUNNING for job in own),
        oldest=min((job.submitted_at for job in waiting), default=None),
    )
