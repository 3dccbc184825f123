"""Devices that fail are set aside for a while, so that their jobs go elsewhere."""

import time
from collections import Counter
from collections.abc import Mapping

from grader.logs import Event, log
from grader.model.needs import ComputeDevice

LOSSES_IN_A_ROW = 2
"""So many lost attempts without a result between them set a device aside."""

ASIDE_SECONDS = 600.0
"""After this time a device gets a job again; one more loss sets it aside again."""


class DeviceHealth:
    """Which devices of a dispatcher may get jobs."""

    def __init__(self, aside_seconds: float = ASIDE_SECONDS) -> None:
        self._seconds = aside_seconds
        self._losses: Counter[str] = Counter()
        self._aside: dict[str, tuple[float, str]] = {}

    @property
    def set_aside(self) -> Mapping[str, str]:
        """Why each device that gets no jobs now was set aside, by its id."""
        now = time.monotonic()
        return {device: why for device, (until, why) in self._aside.items() if now < until}

    def usable(self, device: ComputeDevice) -> bool:
        """Whether ``device`` may get a job."""
        return device.id not in self.set_aside

    def worked(self, device: ComputeDevice) -> None:
        """An attempt on ``device`` gave a result."""
        self._losses.pop(device.id, None)
        self._aside.pop(device.id, None)

    def failed(self, device: ComputeDevice, why: str) -> None:
        """An attempt on ``device`` was lost."""
        if not device.id:
            return  # one that stands for many: nobody knows which of them it was
        self._losses[device.id] += 1
        if self._losses[device.id] >= LOSSES_IN_A_ROW and self.usable(device):
            self._aside[device.id] = (time.monotonic() + self._seconds, why)
            log(Event.DEVICE_SET_ASIDE, device=device.id, model=device.model, error=why)
