"""The pristine copies of timed inputs, on a fake GPU: a changed copy is detected."""

import ctypes
from typing import Any, cast

import numpy as np
import pytest

from grader.engines.cuda.timed_data import PristineInputs
from grader.model.element_types import DType
from grader.model.plan import Buffer, LaunchPlan, Role
from grader.model.run import LaunchJob
from tests.engines.cuda.fake_cupy import HostDigests, HostRuntime, fake_cupy
from tests.engines.little_kernels import little_kernels

N = 64
INPUTS = {name: np.full(N, number, np.float32).tobytes() for number, name in enumerate(("table", "x"))}
WORK = LaunchJob(
    module=little_kernels(),
    plan=LaunchPlan(
        buffers=tuple(
            Buffer(name=name, dtype=DType.FLOAT32, shape=(N,), role=Role.INPUT, fixed=name == "table")
            for name in INPUTS
        ),
        launches=(),
    ),
    inputs=INPUTS,
)


@pytest.mark.parametrize("name", [None, *INPUTS])
def test_a_changed_original_is_noticed(name: str | None) -> None:
    runtime = HostRuntime()
    with PristineInputs(fake_cupy(runtime), cast("Any", HostDigests()), WORK, WORK) as originals:
        assert originals.are_unchanged()
        for address, block in runtime.blocks.items():
            if name is not None and block.raw == INPUTS[name]:
                ctypes.memset(address + 4 * N - 1, 1, 1)
        assert originals.are_unchanged() is (name is None)
