"""Another process on the GPU is detected, and times measured beside it do not count."""

from dataclasses import dataclass
from typing import cast

import pytest

from grader.engines.cuda.timing import MAX_CONTENTION, PAIRS_PER_PROBE, ContentionProbe
from grader.engines.cuda.trusted import TrustedKernels
from grader.errors import InfrastructureError


@dataclass
class BusyDevice:
    """A device that another process uses for ``share`` of the time."""

    share: float
    calls: int = 0

    def probe_contention(self, duration: int, gap: int) -> tuple[int, int]:
        assert gap < duration
        self.calls += 1
        return round(self.share * duration), duration


def probes_run(share: float, pairs: int = 30) -> int:
    device = BusyDevice(share)
    probe = ContentionProbe(cast("TrustedKernels", device))
    for _ in range(pairs):
        probe.maybe_sample()
    probe.check_quiet()
    return device.calls


@pytest.mark.parametrize("share", [0.0, MAX_CONTENTION])
def test_a_quiet_device_is_probed_every_few_pairs(share: float) -> None:
    assert probes_run(share) == 30 // PAIRS_PER_PROBE
    assert probes_run(share, pairs=1) == 1


def test_contention_is_an_infrastructure_error() -> None:
    with pytest.raises(InfrastructureError, match="another process had the GPU for 48% of the time"):
        probes_run(0.48)


def test_without_a_pair_there_is_no_probe() -> None:
    assert probes_run(0.5, pairs=0) == 0
