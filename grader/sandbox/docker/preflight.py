"""Checks before grading: whether Docker can be used here, and what it cannot guarantee."""

from collections.abc import Mapping
from typing import Any

import docker
from docker.errors import ImageNotFound

from grader.sandbox.docker.engine import ENGINE_ERRORS, connect
from grader.sandbox.docker.image import (
    DEFAULT_IMAGE,
    GPU_LABEL,
    HOW_TO_BUILD,
    HOW_TO_BUILD_FOR_A_GPU,
    LABEL,
    digest,
    tagged,
)
from grader.sandbox.gpu import gpus

_NEEDED = {
    "MemoryLimit": "memory",
    "PidsLimit": "processes",
    "CpuCfsQuota": "processors",
}
_START_DOCKER = "start it, add yourself to its group, or set DOCKER_HOST to a remote one"
_ENABLE_CGROUPS = "enable the memory, pids and cpu controllers of the kernel's control groups"


def unavailable(image: str = DEFAULT_IMAGE) -> str | None:
    """Why Docker cannot be used here, and how to fix it; ``None`` where it can. Takes about 50 ms."""
    try:
        client = connect()
    except ENGINE_ERRORS as error:
        return f"the Docker engine cannot be reached ({error}); {_START_DOCKER}"
    try:
        return lacking(client.info()) or _wrong_image(client, tagged(image))
    except ENGINE_ERRORS as error:
        return f"the Docker engine does not answer ({error}); {_START_DOCKER}"
    finally:
        client.close()


def lacking(info: Mapping[str, Any]) -> str | None:
    """What an engine that reports ``info`` cannot guarantee, and how to fix it; ``None`` where nothing is missing."""
    if info.get("OSType") != "linux":
        return f"the Docker engine runs {info.get('OSType')} containers; a worker needs linux"
    unlimited = [what for name, what in _NEEDED.items() if not info.get(name)]
    if unlimited:
        return f"the Docker engine cannot limit {' and '.join(unlimited)}; {_ENABLE_CGROUPS}"
    if not any("seccomp" in option for option in info.get("SecurityOptions") or ()):
        return "the Docker engine cannot filter system calls; use a kernel and an engine with seccomp"
    return None


def weaknesses(image: str = DEFAULT_IMAGE) -> list[str]:
    """What the engine cannot guarantee or do, one sentence each; none where it cannot be reached."""
    try:
        client = connect()
    except ENGINE_ERRORS:
        return []
    try:
        unused = unfit_for_a_gpu(client, tagged(image)) if gpus() else None
        return weak_points(client.info()) + ([f"{unused} {HOW_TO_BUILD_FOR_A_GPU}"] if unused else [])
    except ENGINE_ERRORS:
        return []
    finally:
        client.close()


def weak_points(info: Mapping[str, Any]) -> list[str]:
    """As ``weaknesses``, for an engine that reports ``info``."""
    options = " ".join(info.get("SecurityOptions") or ())
    found = []
    if not info.get("SwapLimit"):
        found.append("The engine does not limit swap, so a worker may use swap beyond its memory limit.")
    if "rootless" not in options and "userns" not in options:
        found.append(
            "The engine maps no users: code that escaped from a container would run as the machine's user 65534. "
            "Set userns-remap to give containers separate users."
        )
    return found


def unfit_for_a_gpu(client: docker.DockerClient, image: str) -> str | None:
    """Why a worker from ``image`` cannot use a GPU, if its label says so. Raises: one of ``ENGINE_ERRORS``."""
    if _labels(client, image).get(GPU_LABEL) != "":
        return None
    return f"The image {image} does not hold CuPy, which a worker needs to use a GPU."


def _labels(client: docker.DockerClient, image: str) -> Mapping[str, str]:
    found = client.api.inspect_image(image)  # type: ignore[no-untyped-call]
    return found["Config"].get("Labels") or {}


def _wrong_image(client: docker.DockerClient, image: str) -> str | None:
    try:
        made_from = _labels(client, image).get(LABEL)
    except ImageNotFound:
        return f"the engine has no image {image}, which this version of Grader needs; {HOW_TO_BUILD}"
    if made_from != digest():
        return f"the image {image} was made from another version of Grader; {HOW_TO_BUILD}"
    return None
