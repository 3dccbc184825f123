"""The contents of a plan's memory before, between and after launches, on a fake GPU with the host's memory."""

import ctypes
from collections.abc import Iterator

import numpy as np
import pytest

from grader.engines.cuda.arena import Arena
from grader.engines.cuda.memory import DeviceMemory
from grader.model.element_types import DType
from grader.model.plan import POISON_BYTE, Buffer, LaunchPlan, Role
from tests.engines.cuda.fake_cupy import HostRuntime, fake_cupy

N = 64
INPUT = np.arange(N, dtype=np.float32).tobytes()
ANSWER = np.full(N, 42, np.float32).tobytes()


PLAN = LaunchPlan(
    buffers=tuple(
        Buffer(name=role.value, dtype=DType.FLOAT32, shape=(N,), role=role)
        for role in (Role.INPUT, Role.INOUT, Role.OUTPUT, Role.SCRATCH)
    ),
    launches=(),
)
INPUTS = {"input": INPUT, "inout": INPUT}


@pytest.fixture
def runtime() -> HostRuntime:
    return HostRuntime()


@pytest.fixture
def arena(runtime: HostRuntime) -> Iterator[Arena]:
    arena = Arena(fake_cupy(runtime), [PLAN])
    arena.guard()
    yield arena
    if runtime.blocks:
        arena.close()


@pytest.fixture
def memory(runtime: HostRuntime, arena: Arena) -> DeviceMemory:
    memory = DeviceMemory(fake_cupy(runtime), PLAN, arena)
    memory.fill(INPUTS)
    return memory


def content(memory: DeviceMemory, name: str) -> bytes:
    return ctypes.string_at(memory.address(name), 4 * N)


def kernel(memory: DeviceMemory) -> None:
    """Write the answer to every writable buffer."""
    for name in ("inout", "output", "scratch"):
        ctypes.memmove(memory.address(name), ANSWER, 4 * N)


def test_before_a_launch_inputs_are_there_and_the_rest_is_poison(memory: DeviceMemory) -> None:
    assert content(memory, "input") == content(memory, "inout") == INPUT
    for name in ("output", "scratch"):
        assert set(content(memory, name)) == {POISON_BYTE}


def test_nothing_of_an_answer_is_left_after_it_was_wiped(memory: DeviceMemory) -> None:
    kernel(memory)
    memory.wipe()
    assert content(memory, "input") == INPUT
    for name in ("inout", "output", "scratch"):
        assert set(content(memory, name)) == {POISON_BYTE}, name


def test_the_next_launch_finds_everything_as_the_first_did(memory: DeviceMemory) -> None:
    kernel(memory)
    memory.wipe()
    memory.fill(INPUTS)
    assert content(memory, "input") == content(memory, "inout") == INPUT
    for name in ("output", "scratch"):
        assert set(content(memory, name)) == {POISON_BYTE}


def test_memory_is_given_back_empty(memory: DeviceMemory, arena: Arena, runtime: HostRuntime) -> None:
    kernel(memory)
    arena.close()
    assert [set(block) for block in runtime.freed] == [{0}]


@pytest.mark.parametrize("name", ["input", "inout", "output", "scratch"])
@pytest.mark.parametrize("distance", [1, 1000, 60_000])
def test_a_write_beside_any_buffer_is_noticed(
    memory: DeviceMemory, arena: Arena, name: str, distance: int
) -> None:
    assert arena.damage() is None
    ctypes.memset(memory.address(name) + 4 * N - 1 + distance, 1, 1)
    assert arena.damage() is not None
    arena.guard()
    ctypes.memset(memory.address(name) - distance, 1, 1)
    assert arena.damage() is not None
