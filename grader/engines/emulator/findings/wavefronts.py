"""Cost of a shared-memory access at other addresses, computed by the interpreter's rules."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from grader.engines.emulator.arrays import address_of, aligned_bytes, aligned_records
from grader.engines.emulator.core.lanes import SCRATCH_HIGHEST, SCRATCH_LOWEST
from grader.engines.emulator.core.records import CONTEXT
from grader.engines.emulator.core.traffic import TRAFFIC_SCRATCH_BYTES, replay_conflicts
from grader.engines.emulator.core.traffic_records import TRAFFIC
from grader.engines.emulator.isa.cells import WARP


class _Counter:
    """A context without a launch that counts one access at a time."""

    def __init__(self) -> None:
        self._scratch = aligned_bytes(TRAFFIC_SCRATCH_BYTES)
        self._traffic = aligned_records(TRAFFIC, 1)
        self._context = aligned_records(CONTEXT, 1)
        self._context[0]["scratch"] = address_of(self._scratch)
        self._context[0]["traffic"] = address_of(self._traffic)

    def count(
        self, lanes: Sequence[int], addresses: Sequence[int], size: int, *, load: bool
    ) -> tuple[int, int]:
        """Wavefronts and ideal wavefronts for ``size`` bytes at each of the ``addresses`` of the ``lanes``."""
        cells = self._scratch.view(np.int64)
        cells[:WARP] = addresses[0]
        cells[list(lanes)] = addresses
        cells[SCRATCH_LOWEST // 8], cells[SCRATCH_HIGHEST // 8] = min(addresses), max(addresses)
        self._traffic[:] = 0
        replay_conflicts(self._context, sum(1 << lane for lane in lanes), size, load)
        return int(self._traffic[0]["transactions"]), int(self._traffic[0]["ideal"])


@cache
def _counter() -> _Counter:
    return _Counter()


def wavefronts(lanes: Sequence[int], addresses: Sequence[int], size: int, *, load: bool) -> tuple[int, int]:
    """Wavefronts of an access of ``size`` bytes per lane, and the number without conflicts.

    ``addresses`` has one address for each of the ``lanes``. Both are in ascending lane order and not empty.
    """
    return _counter().count(lanes, addresses, size, load=load)
