"""A time that the hardware cannot reach is an alarm; a time that it can is none."""

from dataclasses import replace

import pytest

from grader.judge.floor import MARGIN, below_floor, least_seconds
from grader.model.devices import H200
from grader.model.kernel import DType
from grader.model.plan import Buffer, LaunchPlan, Role
from grader.model.run import Comparison, TimedPair


def plan(elements: int) -> LaunchPlan:
    """A sum of many float32: one input of four bytes an element, and an output larger than it."""
    x = Buffer(name="x", dtype=DType.FLOAT32, shape=(elements,), role=Role.INPUT)
    y = Buffer(name="y", dtype=DType.FLOAT32, shape=(2 * elements,), role=Role.OUTPUT)
    return LaunchPlan(buffers=(x, y), launches=())


def taking(seconds: float, *, modelled: bool = False) -> Comparison:
    return Comparison(pairs=(TimedPair(baseline=1.0, submission=seconds),) * 30, modelled=modelled)


LARGE = plan(2**28)
READING = 2**30 / H200.dram_bandwidth


def test_a_kernel_at_the_bandwidth_of_the_data_sheet_is_honest() -> None:
    assert below_floor(taking(READING), LARGE, H200) == ""


def test_a_kernel_faster_than_its_inputs_can_be_read_is_suspicious() -> None:
    assert below_floor(taking(READING / 2), LARGE, H200) == "1.71 times faster than H200 can read its inputs"


def test_the_floor_leaves_out_outputs_what_the_l2_holds_and_a_margin() -> None:
    assert least_seconds(LARGE, H200) == pytest.approx(
        (2**30 - H200.l2_bytes) / (MARGIN * H200.dram_bandwidth)
    )


def test_inputs_that_fit_the_l2_accuse_nobody() -> None:
    assert below_floor(taking(1e-12), plan(H200.l2_bytes // 4), H200) == ""


def test_a_modelled_time_accuses_nobody() -> None:
    assert below_floor(taking(1e-12, modelled=True), LARGE, H200) == ""


def test_a_device_that_does_not_tell_its_bandwidth_accuses_nobody() -> None:
    assert below_floor(taking(1e-12), LARGE, replace(H200, dram_bandwidth=0.0)) == ""
