"""Launches that the device refuses are attributed to the side that made them, on a fake GPU."""

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
from tests.engines.cuda.fake_cupy import HostRuntime, fake_cupy
from tools.messages import params

DEVICE = by_name("h200")
CUPY = fake_cupy(HostRuntime())  # this fake cannot load code


@pytest.fixture
def too_large() -> LaunchJob:
    return launch_job(
        (vector("c", Role.OUTPUT),),
        (launch("first_half", "c", 4, threads=2048, block=2048),),
        {},
        DEVICE.arch,
    )


def test_a_launch_beyond_the_limits_is_refused_before_loading(too_large: LaunchJob) -> None:
    prepared = Prepared(CUPY, DEVICE, too_large)
    with pytest.raises(LaunchFailedError) as caught:
        prepared.add(Arenas(CUPY, [too_large.plan]).add())
    assert params(caught.value.fault.reason, "invalid-launch")["kernel"] == "first_half"
    assert prepared.copies == []


def test_a_refused_baseline_is_a_baseline_error(too_large: LaunchJob) -> None:
    baseline, submission = (Prepared(CUPY, DEVICE, too_large) for _ in range(2))
    with pytest.raises(BaselineFailedError, match="invalid-launch"):
        BufferSetRotation(CUPY, Arenas(CUPY, [too_large.plan]), baseline, submission)
