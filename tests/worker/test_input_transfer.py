"""Inputs cross to a worker once, and are what they were on the other side."""

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
    """How many bytes crossed; that ``jobs`` arrived whole is asserted."""
    sent, fresh = sender.pack(*jobs)
    receiver.keep(fresh)
    assert receiver.unpack(*sent) == list(jobs)
    return sum(map(len, fresh.values()))


def test_what_the_request_before_named_does_not_cross_again() -> None:
    sender, receiver = Sender(), Receiver()
    x, y, z = bytes(100), b"y" * 10, b"z"
    assert passed(sender, receiver, launch_job(x=x, y=y)) == 110
    assert passed(sender, receiver, launch_job(x=x)) == 0
    assert passed(sender, receiver, launch_job(a=x), launch_job(b=x, z=z)) == 1


def test_two_works_of_one_request_share_their_inputs() -> None:
    x = b"shared"
    assert passed(Sender(), Receiver(), launch_job(x=x), launch_job(x=x, other=x)) == len(x)


def test_what_a_request_did_not_name_is_forgotten_on_both_sides() -> None:
    sender, receiver = Sender(), Receiver()
    x = b"forgotten"
    passed(sender, receiver, launch_job(x=x))
    passed(sender, receiver, launch_job())
    assert passed(sender, receiver, launch_job(x=x)) == len(x)


def test_equal_inputs_that_are_two_objects_are_two() -> None:
    assert passed(Sender(), Receiver(), launch_job(x=bytes(bytearray(8)), y=bytes(bytearray(8)))) == 16


def test_a_number_that_was_never_sent_is_named() -> None:
    sent, _ = Sender().pack(launch_job(x=b"lost"))
    with pytest.raises(InfrastructureError, match="input number 0 was named and never sent"):
        Receiver().unpack(*sent)
