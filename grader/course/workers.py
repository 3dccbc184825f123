"""Workers: who is there, the keys of their hosts, and this host as a place for workers of another one's queue."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.execution.devices import local_devices
from grader.store.job_values import WorkerEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinRequest:
    """Where this host's workers connect to, with which key, and which devices they use."""

    address: str
    port: int | None
    keys: Path
    devices: tuple[str, ...] = ()


def workers(workspace: Workspace) -> tuple[WorkerEntry, ...]:
    """The workers that the dispatcher of the store knows now."""
    with Records(workspace) as records:
        return records.store.workers.list()


def make_key(workspace: Workspace, host: str, folder: Path) -> Path:
    """Make a key for ``host`` and write it into the new ``folder``. Raises: ``UserError``."""
    from grader.execution.worker_keys import host_keys  # noqa: PLC0415 - needs the extra `grader[cluster]`

    config = workspace.config
    return host_keys(config.base / config.execution.folder, host, folder)


def join(workspace: Workspace, request: JoinRequest) -> NoReturn:
    """Become the workers of this host; returns never. Raises: ``UserError`` for a key or device that is missing."""
    from grader.execution.parsl_pool import pool_command, pool_environment  # noqa: PLC0415 - needs the extra `grader[cluster]`

    config = workspace.config
    settings = config.execution
    chosen = request.devices or settings.devices
    devices = local_devices(config.engine.device, config.engine.kind, chosen)
    slots = settings.slots or config.jobs.resolved(on_gpu=any(device.is_gpu for device in devices))
    command = pool_command(
        request.address, request.port or settings.port, request.keys.absolute(), devices, slots
    )
    os.chdir(config.base)
    os.execve(command[0], command, pool_environment())  # noqa: S606 - Parsl's own program, with no outsider's words
