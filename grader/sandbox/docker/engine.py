"""Reaching the Docker engine, local or remote."""

from collections.abc import Iterator
from contextlib import contextmanager

import docker
import requests
from docker.errors import DockerException

from grader.errors import InfrastructureError

_SECONDS = 60
"""Longest wait for one answer of the engine."""

ENGINE_ERRORS = (DockerException, requests.RequestException, OSError)
"""What the ``docker`` package raises where an engine cannot be reached or refuses."""


def connect() -> docker.DockerClient:
    """The engine that ``DOCKER_HOST`` names, or the local one. Raises: one of ``ENGINE_ERRORS``."""
    return docker.from_env(timeout=_SECONDS)


@contextmanager
def engine_asked_to(what: str) -> Iterator[None]:
    """Tell a refusal as what was asked of the engine. Raises: ``InfrastructureError``."""
    try:
        yield
    except ENGINE_ERRORS as error:
        msg = f"the Docker engine did not {what}: {error}"
        raise InfrastructureError(msg) from error
