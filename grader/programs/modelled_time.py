"""The modelled time of launches: launches that count the same take the same time, so it is computed once for them."""

import hashlib

from grader.engines.cost_model import WholeProblem, modelled_seconds
from grader.engines.emulator.launch import LaunchOutcome
from grader.engines.emulator.profile import Profiled, counters_of
from grader.model.device import Device
from grader.model.plan import LaunchPlan

SECTOR_BYTES = 32
_NO_PLAN = LaunchPlan(buffers=(), launches=())
_MOST_KEPT = 4096


class ModelledTimes:
    """Seconds of launches on one device."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._known: dict[bytes, float] = {}

    def seconds(self, profiled: Profiled, touched_bytes: int) -> float:
        """The time of a launch that got pointers to arrays of ``touched_bytes`` in all, its start included."""
        key = _key(profiled, touched_bytes)
        if key not in self._known:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            self._known[key] = self._computed(profiled, touched_bytes)
        return self._known[key]

    def _computed(self, profiled: Profiled, touched_bytes: int) -> float:
        counters = counters_of([profiled], _NO_PLAN)
        (counted,) = counters
        whole = WholeProblem(
            blocks=counted.blocks,
            times=1.0,
            footprint_bytes=min(counted.global_sectors * SECTOR_BYTES, touched_bytes),
        )
        return modelled_seconds(counters, self._device, whole) + self._device.launch_overhead


def _key(profiled: Profiled, touched_bytes: int) -> bytes:
    """What the counters of a launch are made of."""
    outcome: LaunchOutcome = profiled.outcome
    numbers = (
        *(
            outcome.blocks_run,
            outcome.steps,
            outcome.longest_warp,
            outcome.longest_warps,
            outcome.shortest_warp,
        ),
        *(outcome.loaders, outcome.receivers, outcome.most_atomics, touched_bytes),
    )
    digest = hashlib.blake2b(
        repr((profiled.kernel.symbol, profiled.kernel.unit, outcome.shape, numbers)).encode()
    )
    digest.update(outcome.traffic.tobytes())
    digest.update(outcome.hits.tobytes())
    return digest.digest()
