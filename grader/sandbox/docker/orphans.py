"""Labels that name a container's grader, and the removal of containers that ended graders left behind."""

import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import docker
from docker.errors import APIError, NotFound

from grader.sandbox.docker.engine import engine_operation
from grader.sandbox.process_identity import is_dead, is_of_this_boot, own_identity

_HOST = "grader.host"
_MACHINE_ID = Path("/etc/machine-id")
OWNER = "grader.owner"
"""Label of a container: the process name of its grader."""


def labels() -> dict[str, str]:
    """The labels of this grader's containers: its machine and its process name."""
    return {_HOST: _machine(), OWNER: own_identity()}


def remove_orphans(client: docker.DockerClient) -> int:
    """Remove all containers of graders that ran on this machine and have ended; returns their number.

    Raises: ``InfrastructureError``.
    """
    removed = 0
    with engine_operation("list the containers of earlier graders"):
        ours = client.api.containers(all=True, filters={"label": f"{_HOST}={_machine()}"})
    for container in ours:
        if is_orphan(container["Labels"]):
            remove(client, container["Id"])
            removed += 1
    return removed


def is_orphan(found: Mapping[str, str]) -> bool:
    """Whether the grader of a container of this machine has ended."""
    name = found.get(OWNER, "")
    return is_dead(name) or not is_of_this_boot(name)


def _machine() -> str:
    """This machine's name and machine id, which differs between machines of one name."""
    identity = _MACHINE_ID.read_text("ascii").strip() if _MACHINE_ID.is_file() else ""
    return f"{platform.node()} {identity}".strip()


def remove(client: docker.DockerClient, container: str) -> None:
    """Kill and remove ``container`` if it still exists. Raises: ``InfrastructureError``."""
    with engine_operation("remove a container"):
        try:
            client.api.remove_container(container, force=True, v=True)
        except NotFound:
            return
        except APIError as error:
            if not _is_being_removed(error):
                raise


def _is_being_removed(error: Any) -> bool:
    """Whether another client is removing it."""
    return error.response is not None and error.response.status_code == 409  # noqa: PLR2004 - HTTP status Conflict
