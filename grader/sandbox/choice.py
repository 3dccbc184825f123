"""Choose a sandbox from the settings, what this machine supports, and whether submissions are trusted."""

import threading
from collections.abc import Sequence

from grader import plugins
from grader.config.settings import AUTO, SandboxSettings
from grader.errors import UserError
from grader.logs import Event, log
from grader.sandbox.gpu_lock import GpuLockingSandbox
from grader.sandbox.offer import GROUP, Offer
from grader.sandbox.pool import PooledSandbox
from grader.sandbox.port import Sandbox

TRUST_OPTION = "--trust-submissions"
"""The option that declares all submissions trusted."""

_EXPLAINED = "docs/operator/sandboxes.md says what each sandbox guarantees."


def offers_of(settings: SandboxSettings) -> tuple[Offer, ...]:
    """The installed sandboxes, those that stop hostile code first, the strongest first.

    Raises: ``UserError`` if a package that registers one fails to load.
    """
    found = []
    for name, point in plugins.points(GROUP).items():
        offer = plugins.resolve(point.value)(settings)
        if not isinstance(offer, Offer) or offer.name != name:
            msg = f"The plugin {point.value} gives no sandbox called {name!r}."
            raise UserError(msg, hint="Fix or uninstall its package.")
        found.append(offer)
    return tuple(sorted(found, key=lambda offer: (offer.isolates, offer.rank), reverse=True))


def choose(wish: str, *, trusted: bool, offers: Sequence[Offer]) -> Offer:
    """The sandbox to use; ``auto`` is the strongest available one, or for trusted code one that only limits it.

    Raises: ``UserError`` where the sandbox is unavailable, or must not run code that is not ``trusted``.
    """
    if wish == AUTO:
        return _first([offer for offer in offers if offer.isolates is not trusted])
    offer = next((offer for offer in offers if offer.name == wish), None)
    if offer is None:
        known = ", ".join(offer.name for offer in offers)
        msg = f"There is no sandbox called {wish!r}."
        raise UserError(msg, hint=f"Installed: {known}.")
    if not offer.isolates and not trusted:
        msg = f"The {wish} sandbox does not stop hostile code, so it must not grade submissions that are not trusted."
        raise UserError(msg, hint=f'Set sandbox.kind to "auto", or trust all of them: {TRUST_OPTION}.')
    problem = offer.unavailable()
    if problem is not None:
        msg = f"The {wish} sandbox cannot be used here: {problem}"
        raise UserError(msg, hint=_EXPLAINED)
    return offer


def open_sandbox(offer: Offer, settings: SandboxSettings, cancelled: threading.Event | None) -> Sandbox:
    """Open the sandbox that ``choose`` returned, with a GPU lock, and with a pool if workers start slowly."""
    opened = GpuLockingSandbox(offer.open(cancelled), cancelled, workers=settings.gpu_workers)
    return PooledSandbox(opened, settings.spare) if offer.pooled else opened


def _first(offers: Sequence[Offer]) -> Offer:
    problems = []
    for offer in offers:
        problem = offer.unavailable()
        if problem is None:
            return offer
        log(Event.SANDBOX_SKIPPED, sandbox=offer.name, error=problem)
        problems.append(f"{offer.name}: {problem}")
    msg = f"No sandbox that stops hostile code can be used here ({'; '.join(problems)})."
    raise UserError(msg, hint=f"Fix one of them, or trust all these submissions: {TRUST_OPTION}.")
