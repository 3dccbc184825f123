"""A kind of sandbox, as ``grader.toml`` and a package register it: the entry points in the group ``grader.sandboxes``.

An entry point names a function from ``SandboxSettings`` to an ``Offer``. Importing it must be cheap: every command
does. The sandbox it opens must pass the contract in ``tests/sandbox/contract.py``, and one that ``isolates`` the one in
``tests/sandbox/isolation.py`` too.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.config.settings import SandboxSettings
from grader.sandbox.port import Sandbox

GROUP = "grader.sandboxes"
"""The group of entry points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A sandbox, if this machine supports it. ``name`` is the word in ``grader.toml``.

    ``isolates``: it stops hostile code. ``auto`` takes the highest ``rank`` of those that may be used. ``pooled``: its
    workers start so slowly that some are started ahead. ``unavailable`` says why this machine does not support it and
    how to fix that; ``weaknesses`` what it cannot guarantee here although it works.
    """

    name: str
    isolates: bool
    rank: int
    open: Callable[[threading.Event | None], Sandbox]
    pooled: bool = True
    unavailable: Callable[[], str | None] = lambda: None
    weaknesses: Callable[[], Sequence[str]] = tuple


OfferFactory = Callable[[SandboxSettings], Offer]
"""What an entry point names."""
