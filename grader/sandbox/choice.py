"""Choose a sandbox from the settings, what this machine supports, and whether submissions are trusted."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType

from grader.config.settings import SandboxChoice, SandboxSettings
from grader.errors import UserError
from grader.logs import Event, log
from grader.sandbox import bubblewrap
from grader.sandbox.bubblewrap import BubblewrapSandbox
from grader.sandbox.gpu_lock import GpuLockingSandbox
from grader.sandbox.pool import PooledSandbox
from grader.sandbox.port import Sandbox
from grader.sandbox.process import ProcessSandbox

TRUST_OPTION = "--trust-submissions"
"""The option that declares all submissions trusted."""

_EXPLAINED = "docs/operator/sandboxes.md says what each sandbox guarantees."


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A sandbox that stops hostile code, if this machine supports it.

    ``unavailable`` says why not and how to fix it; ``weaknesses`` what it cannot guarantee here although it works.
    """

    kind: SandboxChoice
    unavailable: Callable[[], str | None]
    open: Callable[[threading.Event | None], Sandbox]
    weaknesses: Callable[[], Sequence[str]]


def offers_of(settings: SandboxSettings) -> tuple[Offer, ...]:
    """The sandboxes to consider, the strongest first."""
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
"""The sandboxes under default settings."""


def choose(wish: SandboxChoice, *, trusted: bool, offers: Sequence[Offer] = OFFERS) -> SandboxChoice:
    """The sandbox to use; ``auto`` is the strongest available one, or for trusted code the fastest.

    Raises: ``UserError`` where the sandbox is unavailable, or must not run code that is not ``trusted``.
    """
    if wish is SandboxChoice.AUTO:
        return SandboxChoice.PROCESS if trusted else _strongest(offers)
    if wish is SandboxChoice.PROCESS:
        if trusted:
            return wish
        msg = "The process sandbox does not stop hostile code, so it must not grade submissions that are not trusted."
        raise UserError(msg, hint=f'Set sandbox.kind to "auto", or trust all of them: {TRUST_OPTION}.')
    problem = _offer(wish, offers).unavailable()
    if problem is not None:
        msg = f"The {wish} sandbox cannot be used here: {problem}"
        raise UserError(msg, hint=_EXPLAINED)
    return wish


def open_sandbox(
    kind: SandboxChoice, settings: SandboxSettings, cancelled: threading.Event | None
) -> Sandbox:
    """Open the sandbox that ``choose`` returned, with a GPU lock, and with a pool if workers start slowly."""
    if kind is SandboxChoice.PROCESS:
        # It forks workers from loaded processes, which is fast without a pool.
        return GpuLockingSandbox(ProcessSandbox(cancelled), cancelled)
    opened = GpuLockingSandbox(_offer(kind, offers_of(settings)).open(cancelled), cancelled)
    return PooledSandbox(opened, settings.spare)


def _strongest(offers: Sequence[Offer]) -> SandboxChoice:
    problems = []
    for offer in offers:
        problem = offer.unavailable()
        if problem is None:
            return offer.kind
        log(Event.SANDBOX_SKIPPED, sandbox=offer.kind, error=problem)
        problems.append(f"{offer.kind}: {problem}")
    msg = f"No sandbox that stops hostile code can be used here ({'; '.join(problems)})."
    raise UserError(msg, hint=f"Fix one of them, or trust all these submissions: {TRUST_OPTION}.")


def _offer(kind: SandboxChoice, offers: Sequence[Offer]) -> Offer:
    return next(offer for offer in offers if offer.kind is kind)
