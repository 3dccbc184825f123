"""The sandboxes in which the corpus is graded; those that this machine does not support are skipped."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from grader.config.settings import SandboxChoice, SandboxSettings
from grader.sandbox.choice import OFFERS, open_sandbox
from grader.sandbox.port import Sandbox


@contextmanager
def opened(kind: SandboxChoice) -> Iterator[Sandbox]:
    """Open the sandbox ``kind``; skip the calling test if it is unavailable."""
    problems = {offer.kind: offer.unavailable() for offer in OFFERS}
    if (problem := problems.get(kind)) is not None:
        pytest.skip(problem)
    if kind is SandboxChoice.PROCESS and None in problems.values():
        pytest.skip("a stronger sandbox is there, and holds everything that this one does")
    with closing(open_sandbox(kind, SandboxSettings(), None)) as sandbox:
        yield sandbox


def skip_unless_isolating(kind: SandboxChoice) -> None:
    """Skip tests that need a sandbox which hides the machine's files and processes."""
    if kind is SandboxChoice.PROCESS:
        pytest.skip("a process hides neither files nor processes: it is for one's own code")
