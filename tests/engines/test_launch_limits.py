"""Launches that exceed every device's limits are refused before they reach a device."""

import pytest

from grader.engines.launch_limits import launch_problem
from grader.model.devices import G80, TESLA_T4
from grader.model.module import KernelResources
from grader.model.plan import Dim3, LaunchShape


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
        (shape(grid=Dim3(x=0)), "the grid 0x1x1 is empty"),
        (shape(block=Dim3(y=0)), "the block 1x0x1 is empty"),
        (shape(block=Dim3(x=33, y=32)), "1056 threads; at most 1024"),
        (shape(block=Dim3(z=65)), "65 deep"),
        (shape(grid=Dim3(x=2**31)), "too large"),
        (shape(grid=Dim3(y=65536)), "too large"),
        (shape(shared_bytes=64 * 1024 + 1), "65537 bytes of shared memory"),
        (shape(shared_bytes=-4), "-4 bytes of shared memory"),
    ],
)
def test_launches_beyond_a_limit_name_it(refused: LaunchShape, problem: str) -> None:
    found = launch_problem(TESLA_T4, refused, resources())
    assert found is not None
    assert problem in found


def test_static_and_dynamic_shared_memory_count_together() -> None:
    found = launch_problem(TESLA_T4, shape(shared_bytes=32 * 1024), resources(shared_bytes=40 * 1024))
    assert found is not None
    assert "73728 bytes of shared memory" in found


def test_a_kernel_that_bounds_its_own_threads_is_held_to_it() -> None:
    found = launch_problem(TESLA_T4, shape(block=Dim3(x=256)), resources(max_threads=128))
    assert found is not None
    assert "at most 128" in found


def test_too_many_registers_for_one_block_is_said_so() -> None:
    found = launch_problem(TESLA_T4, shape(block=Dim3(x=1024)), resources(registers=128))
    assert found is not None
    assert "128 registers each" in found


def test_the_lectures_device_has_smaller_blocks() -> None:
    assert launch_problem(G80, shape(block=Dim3(x=1024)), resources(registers=8)) is not None
