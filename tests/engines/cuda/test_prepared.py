"""Whose fault it is that a launch cannot be prepared, on a pretended GPU."""

import pytest

from grader.engines.cuda.duel import BaselineFailedError, blamed_on_the_baseline
from grader.engines.cuda.prepared import Prepared
from grader.engines.cuda.status import LaunchFailedError
from grader.model.devices import by_name
from grader.model.plan import Role
from grader.model.run import Work
from tests.engines.contract import launch, vector, work
from tests.engines.cuda.host_memory import HostRuntime, pretended_cupy

DEVICE = by_name("h200")


@pytest.fixture
def too_large() -> Work:
    return work(
        (vector("c", Role.OUTPUT),),
        (launch("first_half", "c", 4, threads=2048, block=2048),),
        {},
        DEVICE.arch,
    )


def test_what_the_device_does_not_take_is_refused_before_anything_is_on_it(too_large: Work) -> None:
    runtime = HostRuntime()
    prepared = Prepared(pretended_cupy(runtime), DEVICE, too_large)
    with pytest.raises(LaunchFailedError, match="first_half"):
        prepared.add()
    assert runtime.blocks == {}
    prepared.close()


def test_of_the_baseline_it_is_blamed_on_the_baseline(too_large: Work) -> None:
    prepared = Prepared(pretended_cupy(HostRuntime()), DEVICE, too_large)
    with pytest.raises(BaselineFailedError), blamed_on_the_baseline():
        prepared.add()
