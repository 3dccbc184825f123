"""Another process on the GPU is heard, and what is timed beside it does not count."""

from dataclasses import dataclass
from typing import cast

import pytest

from grader.engines.cuda.neighbours import EVERY, NOISY, Neighbours
from grader.engines.cuda.trusted import TrustedKernels
from grader.errors import InfrastructureError


@dataclass
class Listener:
    """A device that is somebody else's for ``share`` of the time."""

    share: float
    calls: int = 0

    def listen(self, duration: int, gap: int) -> tuple[int, int]:
        assert gap < duration
        self.calls += 1
        return round(self.share * duration), duration


def heard(share: float, pairs: int = 30) -> int:
    device = Listener(share)
    neighbours = Neighbours(cast("TrustedKernels", device))
    for _ in range(pairs):
        neighbours.listen_now_and_then()
    neighbours.check_quiet()
    return device.calls


@pytest.mark.parametrize("share", [0.0, NOISY])
def test_a_quiet_device_is_listened_to_now_and_then(share: float) -> None:
    assert heard(share) == 30 // EVERY
    assert heard(share, pairs=1) == 1


def test_a_noisy_one_is_no_students_fault() -> None:
    with pytest.raises(InfrastructureError, match="another process had the GPU for 48% of the time"):
        heard(0.48)


def test_without_a_pair_there_is_nothing_to_refuse() -> None:
    assert heard(0.5, pairs=0) == 0
