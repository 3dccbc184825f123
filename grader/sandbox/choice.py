"""Which sandbox to use: what this machine has, what was wished for, and whose submissions they are."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType

from grader.config.settings import SandboxChoice, SandboxSettings
from grader.errors import UserError
from grader.sandbox import bubblewrap
from grader.sandbox.bubblewrap import BubblewrapSandbox
from grader.sandbox.gpu_lock import GpuLockingSandbox
from grader.sandbox.pool import PooledSandbox
from grader.sandbox.port import Sandbox
from grader.sandbox.process import ProcessSandbox

TRUST_OPTION = "--trust-submissions"
"""The option by which somebody says that nobody hostile wrote what is graded."""

_EXPLAINED = "docs/operator/sandboxes.md says what each sandbox promises."


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """One sandbox that stands up to hostile code, if this machine can have it.

    ``unavailable`` says why not and how to hint it; ``weaknesses`` which promises it cannot keep here though it works.
    """

    kind: SandboxChoice
    unavailable: Callable[[], str | None]
    open: Callable[[threading.Event | None], Sandbox]
    weaknesses: Callable[[], Sequence[str]]


def offers_of(settings: SandboxSettings) -> tuple[Offer, ...]:
    """What this machine may have, the strongest first."""
    return (
        Offer(
            kind=SandboxChoice.DOCKER,
            unavailable=lambda: _docker().unavailable(settings.image),
            open=lambda cancelled: _docker().DockerSandbox(cancelled, image=settings.image),
            weaknesses=lambda: _docker().weaknesses(settings.image),
        ),
        Offer(
            kind=SandboxChoice.BUBBLEWRAP,
            unavailable=bubblewrap.unavailable,
            open=BubblewrapSandbox,
            weaknesses=bubblewrap.weaknesses,
        ),
    )


def _docker() -> ModuleType:
    from grader.sandbox import docker  # noqa: PLC0415 - loads an HTTP client, which a student's check does not need

    return docker


OFFERS = offers_of(SandboxSettings())
"""Those of a machine without a configuration."""


def choose(wish: SandboxChoice, *, trusted: bool, offers: Sequence[Offer] = OFFERS) -> SandboxChoice:
    """The sandbox to use; ``auto`` takes the strongest there is, for trusted code the fastest.

    Raises: ``UserError`` where it cannot be had, or must not be used for code that is not ``trusted``.
    """
    if wish is SandboxChoice.AUTO:
        return SandboxChoice.PROCESS if trusted else _strongest(offers)
    if wish is SandboxChoice.PROCESS:
        if trusted:
            return wish
        msg = "The process sandbox does not stop hostile code, so it must not grade others' submissions."
        raise UserError(msg, hint=f'Set sandbox.kind to "auto", or trust all of them: {TRUST_OPTION}.')
    problem = _offer(wish, offers).unavailable()
    if problem is not None:
        msg = f"The {wish} sandbox cannot be used here: {problem}"
        raise UserError(msg, hint=_EXPLAINED)
    return wish


def open_sandbox(
    kind: SandboxChoice, settings: SandboxSettings, cancelled: threading.Event | None
) -> Sandbox:
    """The sandbox ``kind``, as ``choose`` gave it; the slow ones keep workers ready, and a GPU is one worker's."""
    if kind is SandboxChoice.PROCESS:
        # It forks its workers from processes that are loaded already: there is nothing to hide.
        return GpuLockingSandbox(ProcessSandbox(cancelled), cancelled)
    opened = GpuLockingSandbox(_offer(kind, offers_of(settings)).open(cancelled), cancelled)
    return PooledSandbox(opened, settings.spare)


def _strongest(offers: Sequence[Offer]) -> SandboxChoice:
    problems = []
    for offer in offers:
        problem = offer.unavailable()
        if problem is None:
            return offer.kind
        problems.append(f"{offer.kind}: {problem}")
    msg = f"No sandbox that stops hostile code can be used here ({'; '.join(problems)})."
    raise UserError(msg, hint=f"Mend one of them, or trust all these submissions: {TRUST_OPTION}.")


def _offer(kind: SandboxChoice, offers: Sequence[Offer]) -> Offer:
    return next(offer for offer in offers if offer.kind is kind)
