"""An example of a sandbox that lives outside Grader's own tree: the process sandbox under another name."""

from grader.config.settings import SandboxSettings
from grader.sandbox.offer import Offer
from grader.sandbox.process import ProcessSandbox


class PlainSandbox(ProcessSandbox):
    """Limits a worker, and hides nothing from it."""

    name = "plain"


def plain(_: SandboxSettings) -> Offer:
    """Registered as ``plain`` in the group ``grader.sandboxes``."""
    return Offer(name="plain", isolates=False, rank=1, open=PlainSandbox, pooled=False)
