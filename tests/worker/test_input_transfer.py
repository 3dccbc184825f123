"""Inputs are sent to a worker once, and arrive unchanged."""

import pytest

from grader.errors import InfrastructureError
from grader.model.module import DeviceModule
from grader.model.plan import LaunchPlan
from grader.model.run import LaunchJob
from grader.worker.input_transfer import Receiver, Sender

MODULE = DeviceModule(units=(), kernels=(), user_files=())
PLAN = LaunchPlan(buffers=(), launches=())


def launch_job(**inputs: bytes) -> LaunchJob:
    return LaunchJob(module=MODULE, plan=PLAN, inputs=inputs)


def passed(sender: Sender, receiver: Receiver, *jobs: LaunchJob) -> int:
    """Return the number of bytes sent, after asserting that ``jobs`` arrived complete."""
    sent, fresh = sender.pack(*jobs)
    receiver.keep(fresh)
    assert receiver.unpack(*sent) == list(jobs)
    return sum(map(len, fresh.values()))


def test_inputs_of_the_last_request_are_not_sent_again() -> None:
    sender, receiver = Sender(), Receiver()
    x, y, z = bytes(100), b"y" * 10, b"z"
    assert passed(sender, receiver, launch_job(x=x, y=y)) == 110
    assert passed(sender, receiver, launch_job(x=x)) == 0
    assert passed(sender, receiver, launch_job(a=x), launch_job(b=x, z=z)) == 1


def test_two_jobs_of_a_request_share_inputs() -> None:
    x = b"shared"
    assert passed(Sender(), Receiver(), launch_job(x=x), launch_job(x=x, other=x)) == len(x)


def test_inputs_not_named_are_dropped_on_both_sides() -> None:
    sender, receiver = Sender(), Receiver()
    x = b"forgotten"
    passed(sender, receiver, launch_job(x=x))
    passed(sender, receiver, launch_job())
    assert passed(sender, receiver, launch_job(x=x)) == len(x)


def test_equal_inputs_in_two_objects_are_sent_twice() -> None:
    assert passed(Sender(), Receiver(), launch_job(x=bytes(bytearray(8)), y=bytes(bytearray(8)))) == 16


def test_an_unknown_input_number_is_reported() -> None:
    sent, _ = Sender().pack(launch_job(x=b"lost"))
    with pytest.raises(InfrastructureError, match="input number 0 was named and never sent"):
        Receiver().unpack(*sent)
