"""The Docker sandbox: a container for every worker."""

from grader.sandbox.docker.preflight import unavailable, weaknesses
from grader.sandbox.docker.sandbox import DockerSandbox

__all__ = ["DockerSandbox", "unavailable", "weaknesses"]
