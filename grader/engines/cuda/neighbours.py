"""Whether somebody else's work runs on the GPU: a second process, which no lease of ours keeps away.

The device gives each process slices of some milliseconds. A kernel that does nothing but look at the time notices when
it was put aside, so nobody need be asked who else is there, and a process that only waits does no harm.
"""

from grader.engines.cuda.trusted import TrustedKernels
from grader.errors import InfrastructureError

_LISTENED = 4_000_000
"""Nanoseconds to listen: longer than the slice that a process is given."""

_GAP = 20_000
"""Nanoseconds between two looks at the time that are no chance."""

EVERY = 10
"""Pairs after which it is listened again."""

NOISY = 0.1
"""The part of the time in which the device was somebody else's that makes times worthless."""


class Neighbours:
    """Listens, and adds up what is heard."""

    def __init__(self, kernels: TrustedKernels) -> None:
        self._kernels = kernels
        self._lost = self._passed = self._calls = 0

    def listen_now_and_then(self) -> None:
        """Call it before each pair; every so often it takes the time to listen. Raises: as ``status.checked``."""
        if self._calls % EVERY == 0:
            lost, passed = self._kernels.listen(_LISTENED, _GAP)
            self._lost += lost
            self._passed += passed
        self._calls += 1

    def check_quiet(self) -> None:
        """Raises: ``InfrastructureError`` where times that were taken meanwhile are worthless."""
        share = self._lost / max(1, self._passed)
        if share > NOISY:
            msg = f"another process had the GPU for {share:.0%} of the time while kernels were timed; no time counts"
            raise InfrastructureError(msg)
