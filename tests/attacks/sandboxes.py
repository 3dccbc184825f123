"""The sandboxes that the corpus is graded in, opened by name; those that this machine cannot have are skipped."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from grader.sandbox.port import Sandbox
from grader.sandbox.process import ProcessSandbox

_SANDBOXES: dict[str, Callable[[], AbstractContextManager[Sandbox]]] = {"process": ProcessSandbox}

NAMES = tuple(_SANDBOXES)
"""By strength, the weakest first: ``process`` has limits only and hides nothing of the machine."""


@contextmanager
def opened(name: str) -> Iterator[Sandbox]:
    """The sandbox called ``name``; skips the test that asks where it cannot be had."""
    with _SANDBOXES[name]() as sandbox:
        yield sandbox


def skip_unless_isolating(name: str) -> None:
    """Skip what needs a sandbox that hides the machine's files and processes."""
    if name == "process":
        pytest.skip("a process hides neither files nor processes: it is for one's own code")
