"""Whose fault it is that a launch cannot be prepared, on a pretended GPU."""

import pytest

from grader.engines.cuda.arena import Arenas
from grader.engines.cuda.baseline_errors import BaselineFailedError
from grader.engines.cuda.buffer_sets import BufferSetRotation
from grader.engines.cuda.prepared import Prepared
from grader.engines.cuda.status import LaunchFailedError
from grader.model.devices import by_name
from grader.model.plan import Role
from grader.model.run import LaunchJob
from tests.engines.contract import launch, launch_job, vector
from tests.engines.cuda.host_memory import HostRuntime, pretended_cupy

DEVICE = by_name("h200")
CUPY = pretended_cupy(HostRuntime())  # which can load no code


@pytest.fixture
def too_large() -> LaunchJob:
    return launch_job(
        (vector("c", Role.OUTPUT),),
        (launch("first_half", "c", 4, threads=2048, block=2048),),
        {},
        DEVICE.arch,
    )


def test_what_the_device_does_not_take_is_refused_before_its_code_is_loaded(too_large: LaunchJob) -> None:
    prepared = Prepared(CUPY, DEVICE, too_large)
    with pytest.raises(LaunchFailedError, match="first_half"):
        prepared.add(Arenas(CUPY, [too_large.plan]).add())
    assert prepared.copies == []


def test_of_the_baseline_it_is_blamed_on_the_baseline(too_large: LaunchJob) -> None:
    baseline, submission = (Prepared(CUPY, DEVICE, too_large) for _ in range(2))
    with pytest.raises(BaselineFailedError, match="first_half"):
        BufferSetRotation(CUPY, Arenas(CUPY, [too_large.plan]), baseline, submission)
