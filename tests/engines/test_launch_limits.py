"""Launches that exceed every device's limits are refused before they reach a device."""

import pytest

from grader.engines.launch_limits import launch_problem
from grader.model.devices import G80, TESLA_T4
from grader.model.module import KernelResources
from grader.model.plan import Dim3, LaunchShape
from grader.model.reason import Reason, reason
from tools.messages import params


def resources(registers: int = 32, shared_bytes: int = 0, max_threads: int = 1024) -> KernelResources:
    return KernelResources(
        registers=registers, spill_bytes=0, local_bytes=0, shared_bytes=shared_bytes, max_threads=max_threads
    )


def shape(grid: Dim3 = Dim3(), block: Dim3 = Dim3(x=32), shared_bytes: int = 0) -> LaunchShape:  # noqa: B008 - frozen
    return LaunchShape(grid=grid, block=block, shared_bytes=shared_bytes)


@pytest.mark.parametrize(
    "accepted",
    [
        shape(),
        shape(grid=Dim3(x=2**31 - 1, y=65535, z=65535)),
        shape(block=Dim3(x=32, y=32)),
        shape(block=Dim3(x=1, y=1, z=64)),
        shape(shared_bytes=64 * 1024),
    ],
)
def test_launches_within_the_limits_have_no_problem(accepted: LaunchShape) -> None:
    assert launch_problem(TESLA_T4, accepted, resources()) is None


@pytest.mark.parametrize(
    ("refused", "problem"),
    [
        (shape(grid=Dim3(x=0)), reason("empty-grid", grid="0x1x1")),
        (shape(block=Dim3(y=0)), reason("empty-block", block="1x0x1")),
        (shape(block=Dim3(x=33, y=32)), reason("too-many-threads", block="33x32x1", threads=1056, most=1024)),
        (shape(block=Dim3(z=65)), reason("too-deep-block", block="1x1x65", depth=65, most=64)),
        (
            shape(grid=Dim3(x=2**31)),
            reason("too-large-grid", grid="2147483648x1x1", most="2147483647x65535x65535"),
        ),
        (
            shape(grid=Dim3(y=65536)),
            reason("too-large-grid", grid="1x65536x1", most="2147483647x65535x65535"),
        ),
        (
            shape(shared_bytes=64 * 1024 + 1),
            reason("too-much-shared-memory", bytes=65537, device=TESLA_T4.name, most=65536),
        ),
        (
            shape(shared_bytes=-4),
            reason("too-much-shared-memory", bytes=-4, device=TESLA_T4.name, most=65536),
        ),
    ],
)
def test_launches_beyond_a_limit_name_it(refused: LaunchShape, problem: Reason) -> None:
    assert launch_problem(TESLA_T4, refused, resources()) == problem


def test_static_and_dynamic_shared_memory_count_together() -> None:
    found = launch_problem(TESLA_T4, shape(shared_bytes=32 * 1024), resources(shared_bytes=40 * 1024))
    assert params(found, "too-much-shared-memory")["bytes"] == 73728


def test_a_kernel_that_bounds_its_own_threads_is_held_to_it() -> None:
    found = launch_problem(TESLA_T4, shape(block=Dim3(x=256)), resources(max_threads=128))
    assert params(found, "too-many-threads")["most"] == 128


def test_too_many_registers_for_one_block_is_said_so() -> None:
    found = launch_problem(TESLA_T4, shape(block=Dim3(x=1024)), resources(registers=128))
    assert params(found, "too-many-registers")["registers"] == 128


def test_the_lectures_device_has_smaller_blocks() -> None:
    assert launch_problem(G80, shape(block=Dim3(x=1024)), resources(registers=8)) is not None
