"""Every built-in lab has inputs and an oracle at the sizes that are drawn near those of its timing case."""

import pytest

from grader.grading.cases import prepare
from grader.grading.nearby_sizes import nearby_case
from grader.labs.manifest import Use
from grader.model.run import EngineKind
from tools.labs import kernel_labs

LABS = kernel_labs()


@pytest.mark.parametrize("name", sorted(LABS))
def test_a_lab_allows_the_sizes_that_are_drawn(name: str) -> None:
    lab = LABS[name]
    assert lab.manifest.nearby_sizes
    timed = [
        case for case in lab.manifest.cases if EngineKind.EMULATOR in case.engines and Use.TIME in case.use
    ]
    for seed in range(3):
        nearby = nearby_case(timed[-1], lab.manifest.cases, seed)
        assert nearby.sizes != timed[-1].sizes
        assert prepare(lab, nearby, seed).expected
