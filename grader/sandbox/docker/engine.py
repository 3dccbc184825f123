"""Connect to the Docker engine, local or remote."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import docker
import requests
from docker.errors import DockerException

from grader.errors import InfrastructureError

_SECONDS = 60
"""Longest wait for one reply of the engine."""

_UNIX = "unix://"
_LOCAL = f"{_UNIX}/var/run/docker.sock"

ENGINE_ERRORS = (DockerException, requests.RequestException, OSError)
"""Errors of the ``docker`` package where the engine cannot be reached or refuses a request."""


def connect() -> docker.DockerClient:
    """Connect to the engine that ``DOCKER_HOST`` names, or the local one. Raises: one of ``ENGINE_ERRORS``."""
    host = os.environ.get("DOCKER_HOST") or _LOCAL
    if host.startswith(_UNIX):
        # The package retries a dead socket several times and leaves each attempt open, so try the socket first.
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(host.removeprefix(_UNIX))
    return docker.from_env(timeout=_SECONDS)


@contextmanager
def engine_operation(what: str) -> Iterator[None]:
    """Raise an engine error in the block as ``InfrastructureError``: the engine did not ``what``."""
    try:
        yield
    except ENGINE_ERRORS as error:
        msg = f"the Docker engine did not {what}: {error}"
        raise InfrastructureError(msg) from error
