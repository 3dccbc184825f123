"""What the host and its bus cost on the modelled clock."""

from dataclasses import dataclass

from grader.model.device import Device

CALL_SECONDS = 1e-6
LAUNCH_SECONDS = 4e-6
MALLOC_SECONDS = 50e-6
PIN_SECONDS_PER_BYTE = 0.66e-9
"""Pinning 16 MiB takes 11 ms, and 128 MiB 88 ms, on the host of an H200."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bus:
    """Bytes per second of large copies from pinned and pageable memory, and seconds before the first byte."""

    pinned: float
    pageable: float
    latency: float = 8e-6

    def seconds(self, moved_bytes: int, *, is_pinned: bool) -> float:
        """The time of one copy."""
        return self.latency + moved_bytes / (self.pinned if is_pinned else self.pageable)


_BY_ARCH = (
    (90, Bus(pinned=54e9, pageable=11e9)),  # PCIe 5 x16, measured on an H200
    (80, Bus(pinned=25e9, pageable=9e9)),  # PCIe 4 x16
    (30, Bus(pinned=12e9, pageable=6e9)),  # PCIe 3 x16
    (20, Bus(pinned=6e9, pageable=3e9)),  # PCIe 2 x16
    (0, Bus(pinned=3e9, pageable=1.5e9)),  # PCIe 1 x16
)
"""The bus of each generation of devices, from its compute capability on."""


def bus_of(device: Device) -> Bus:
    """The bus that ``device`` is used with."""
    capability = int(device.arch.removeprefix("sm_"))
    return next(bus for least, bus in _BY_ARCH if capability >= least)
