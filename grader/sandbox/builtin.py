"""The sandboxes that Grader brings."""

from types import ModuleType

from grader.config.settings import SandboxSettings
from grader.sandbox import bubblewrap as _bubblewrap
from grader.sandbox.bubblewrap import BubblewrapSandbox
from grader.sandbox.offer import Offer
from grader.sandbox.process import ProcessSandbox

DOCKER, BUBBLEWRAP, PROCESS = "docker", "bubblewrap", "process"


def docker(settings: SandboxSettings) -> Offer:
    """A container for each worker."""
    return Offer(
        name=DOCKER,
        isolates=True,
        rank=200,
        open=lambda cancelled: _docker().DockerSandbox(cancelled, image=settings.image),
        unavailable=lambda: _docker().unavailable(settings.image),
        weaknesses=lambda: _docker().weaknesses(settings.image),
    )


def bubblewrap(_: SandboxSettings) -> Offer:
    """Namespaces and a system call filter."""
    return Offer(
        name=BUBBLEWRAP,
        isolates=True,
        rank=100,
        open=BubblewrapSandbox,
        unavailable=_bubblewrap.unavailable,
        weaknesses=_bubblewrap.weaknesses,
    )


def process(_: SandboxSettings) -> Offer:
    """Limits only. It forks workers from loaded processes, which is fast without a pool."""
    return Offer(name=PROCESS, isolates=False, rank=100, open=ProcessSandbox, pooled=False)


def _docker() -> ModuleType:
    from grader.sandbox import docker as module  # noqa: PLC0415 - loads an HTTP client, which a student's check does not need

    return module
