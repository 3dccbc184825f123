"""Whose a container is, told by its labels, so that what a dead grader left behind is found and removed."""

import os
import platform
import secrets
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import docker
import psutil
from docker.errors import APIError, NotFound

from grader.sandbox.docker.engine import engine_asked_to

_SESSION = "grader.session"
_HOST = "grader.host"
_BOOT = "grader.boot"
_PID = "grader.pid"
_STARTED = "grader.started"

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_SAME_START_SECONDS = 1.0


@cache
def _session() -> str:
    return secrets.token_hex(8)


@cache
def _boot() -> str:
    return _BOOT_ID.read_text("ascii").strip()


def labels() -> dict[str, str]:
    """This grader's: the machine, its start, and the process with its own start, since numbers are used again."""
    return {
        _SESSION: _session(),
        _HOST: platform.node(),
        _BOOT: _boot(),
        _PID: str(os.getpid()),
        _STARTED: str(psutil.Process().create_time()),
    }


def sweep(client: docker.DockerClient) -> int:
    """Remove every container whose grader ran on this machine and is dead; how many there were.

    Raises: ``InfrastructureError``.
    """
    removed = 0
    with engine_asked_to("list what an earlier grader left behind"):
        ours = client.api.containers(all=True, filters={"label": f"{_HOST}={platform.node()}"})
    for container in ours:
        if is_orphan(container["Labels"]):
            remove(client, container["Id"])
            removed += 1
    return removed


def is_orphan(found: Mapping[str, str]) -> bool:
    """Whether the grader of a container of this machine is dead."""
    if found.get(_BOOT) != _boot():
        return True
    try:
        started = psutil.Process(int(found[_PID])).create_time()
        return abs(started - float(found[_STARTED])) > _SAME_START_SECONDS
    except psutil.AccessDenied:
        return False
    except (psutil.NoSuchProcess, KeyError, ValueError):
        return True


def remove(client: docker.DockerClient, container: str) -> None:
    """Kill and remove it; one that is gone already is as it should be. Raises: ``InfrastructureError``."""
    with engine_asked_to("remove a container"):
        try:
            client.api.remove_container(container, force=True, v=True)
        except NotFound:
            return
        except APIError as error:
            if not _is_being_removed(error):
                raise


def _is_being_removed(error: Any) -> bool:
    """Somebody else removes it at this moment."""
    return error.response is not None and error.response.status_code == 409  # noqa: PLR2004 - HTTP's word for it
