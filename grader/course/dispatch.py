"""Serve the queue: an executor with workers, fed until somebody stops it or nothing waits."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from grader import plugins
from grader.config.settings import ExecutionSettings
from grader.course import job_work
from grader.course.job_records import CourseJobs
from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.execution.devices import local_devices
from grader.execution.dispatcher import CLAIM, STOP, Dispatcher, Finished
from grader.execution.port import GROUP, Executor, ExecutorRequest
from grader.model.needs import ComputeDevice
from grader.store.job_values import JobState

LOCAL = "local"
"""The executor of a configuration that names none."""

_OPERATOR = "operator"
_STOP_SECONDS = 3600.0
_ASK_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DispatchRequest:
    """How to serve the queue. ``None`` and an empty tuple: as configured.

    ``until_empty``: end when nothing waits that the devices can run.
    """

    executor: str | None = None
    provider: str | None = None
    devices: tuple[str, ...] = field(default=())
    until_empty: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DispatchOutcome:
    """How many jobs were recorded, failed and wait for a person, and are left waiting."""

    recorded: int
    failed: int
    left: int


def dispatch(
    workspace: Workspace,
    request: DispatchRequest,
    show: Callable[[Finished], None],
    started: Callable[[Sequence[ComputeDevice]], None] = lambda _: None,
) -> DispatchOutcome:
    """Serve the queue of the store; call it from the main thread. ``started`` gets the devices.

    Raises: ``UserError`` if another dispatcher serves it, or this host cannot start workers.
    """
    executor, devices = _executor(workspace, request)
    recorded = failed = 0
    with Records(workspace) as records:
        records.store.claims.release(STOP, _OPERATOR)
        handler = CourseJobs(workspace, records.store)
        with Dispatcher(records.store, executor, handler) as dispatcher:
            started(devices)
            stopping, asked = False, 0.0
            while True:
                for finished in dispatcher.step(feed=not stopping):
                    recorded += finished.score is not None
                    failed += finished.score is None
                    show(finished)
                if time.monotonic() - asked > _ASK_SECONDS:
                    asked = time.monotonic()
                    stopping = stopping or dispatcher.is_asked_to_stop
                    done = not (dispatcher.running if stopping else dispatcher.has_work)
                    if done and (stopping or request.until_empty):
                        break
        left = len(records.store.jobs.list([JobState.WAITING]))
        records.store.claims.release(STOP, _OPERATOR)
    return DispatchOutcome(recorded=recorded, failed=failed, left=left)


def stop(workspace: Workspace) -> bool:
    """Ask the dispatcher to end when its running jobs are done. Returns: whether there is one."""
    with Records(workspace) as records:
        if records.store.claims.holder(CLAIM) is None:
            return False
        records.store.claims.claim(STOP, _OPERATOR, _STOP_SECONDS)
        return True


def _executor(workspace: Workspace, request: DispatchRequest) -> tuple[Executor, Sequence[ComputeDevice]]:
    config = workspace.config
    settings = replace(
        config.execution,
        provider=request.provider or config.execution.provider,
        devices=request.devices or config.execution.devices,
    )
    name = request.executor or settings.executor or ("parsl" if request.provider else LOCAL)
    devices = _devices(workspace, settings, name)
    factory = plugins.resolve(plugins.reference(GROUP, name))

    def slots(device: ComputeDevice) -> int:
        return settings.slots or config.jobs.resolved(on_gpu=device.engine != "emulator")

    made: Executor = factory(
        ExecutorRequest(
            settings=settings, work=job_work.REFERENCE, folder=config.base, devices=devices, slots=slots
        )
    )
    return made, devices


def _devices(workspace: Workspace, settings: ExecutionSettings, name: str) -> Sequence[ComputeDevice]:
    """Those of this host, unless its workers run elsewhere."""
    if LOCAL not in {name, settings.provider}:
        return ()
    engine = workspace.config.engine
    return local_devices(engine.device, engine.kind, settings.devices)
