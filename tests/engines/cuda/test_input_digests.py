"""Inputs that a kernel changed are found by their digests, on a fake GPU with the host's memory."""

import ctypes
from typing import Any, cast

import numpy as np
import pytest

from grader.engines.cuda.arena import Arena
from grader.engines.cuda.input_digests import InputDigests
from grader.engines.cuda.memory import DeviceMemory
from grader.model.element_types import DType
from grader.model.plan import Buffer, LaunchPlan, Role
from tests.engines.cuda.fake_cupy import HostDigests, HostRuntime, fake_cupy

SIZES = {"whole": 64, "rest": 67, "few": 3, "empty": 0}
DATA = {name: np.random.default_rng(5).bytes(size) for name, size in SIZES.items()} | {"own": bytes(8)}
PLAN = LaunchPlan(
    buffers=(
        *(
            Buffer(name=name, dtype=DType.UINT8, shape=(size,), role=Role.INPUT)
            for name, size in SIZES.items()
        ),
        Buffer(name="own", dtype=DType.UINT8, shape=(8,), role=Role.INOUT),
    ),
    launches=(),
)


@pytest.mark.parametrize(
    ("name", "index"),
    [("whole", 0), ("whole", 63), ("rest", 63), ("rest", 64), ("rest", 66), ("few", 0), ("few", 2)],
)
def test_an_input_that_changed_by_one_bit_is_named(name: str, index: int) -> None:
    cupy = fake_cupy(HostRuntime())
    memory = DeviceMemory(cupy, PLAN, Arena(cupy, [PLAN]))
    memory.fill(DATA)
    inputs = InputDigests(cupy, cast("Any", HostDigests()), memory, PLAN)
    ctypes.memset(memory.address("own"), 7, 8)
    assert inputs.changed() == ()
    ctypes.memset(memory.address(name) + index, DATA[name][index] ^ 1, 1)
    assert inputs.changed() == (name,)
