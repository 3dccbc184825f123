"""Whose a container is, told by its labels, so that what a dead grader left behind is found and removed."""

import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import docker
from docker.errors import APIError, NotFound

from grader.sandbox.docker.engine import engine_operation
from grader.sandbox.process_identity import is_dead, is_of_this_boot, own_identity

_HOST = "grader.host"
_IDENTITY = Path("/etc/machine-id")
OWNER = "grader.owner"
"""Label of a container: the name of the grader it belongs to."""


def labels() -> dict[str, str]:
    """This grader's: its machine and its name there."""
    return {_HOST: _machine(), OWNER: own_identity()}


def remove_orphans(client: docker.DockerClient) -> int:
    """Remove every container whose grader ran on this machine and is dead; how many there were.

    Raises: ``InfrastructureError``.
    """
    removed = 0
    with engine_operation("list what an earlier grader left behind"):
        ours = client.api.containers(all=True, filters={"label": f"{_HOST}={_machine()}"})
    for container in ours:
        if is_orphan(container["Labels"]):
            remove(client, container["Id"])
            removed += 1
    return removed


def is_orphan(found: Mapping[str, str]) -> bool:
    """Whether the grader of a container of this machine is dead."""
    name = found.get(OWNER, "")
    return is_dead(name) or not is_of_this_boot(name)


def _machine() -> str:
    """This machine's name, with what tells it from another of that name that asks the same engine."""
    identity = _IDENTITY.read_text("ascii").strip() if _IDENTITY.is_file() else ""
    return f"{platform.node()} {identity}".strip()


def remove(client: docker.DockerClient, container: str) -> None:
    """Kill and remove it; one that is gone already is as it should be. Raises: ``InfrastructureError``."""
    with engine_operation("remove a container"):
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
