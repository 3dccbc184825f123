"""The sandboxes in which the corpus is graded; those that this machine does not support are skipped."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from grader.config.settings import SandboxSettings
from grader.sandbox.builtin import PROCESS
from grader.sandbox.choice import offers_of, open_sandbox
from grader.sandbox.port import Sandbox


@contextmanager
def opened(kind: str) -> Iterator[Sandbox]:
    """Open the sandbox ``kind``; skip the calling test if it is unavailable."""
    settings = SandboxSettings()
    offers = {offer.name: offer for offer in offers_of(settings)}
    chosen = offers[kind]
    if (problem := chosen.unavailable()) is not None:
        pytest.skip(problem)
    stronger = any(offer.isolates and offer.unavailable() is None for offer in offers.values())
    if not chosen.isolates and stronger:
        pytest.skip("a stronger sandbox is there, and holds everything that this one does")
    with closing(open_sandbox(chosen, settings, None)) as sandbox:
        yield sandbox


def skip_unless_isolating(kind: str) -> None:
    """Skip tests that need a sandbox which hides the machine's files and processes."""
    if kind == PROCESS:
        pytest.skip("a process hides neither files nor processes: it is for one's own code")
