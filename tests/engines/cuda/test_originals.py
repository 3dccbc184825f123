"""The originals of timed inputs, on a pretended GPU: whether anybody has changed one."""

import ctypes
from typing import Any, cast

import numpy as np
import pytest

from grader.engines.cuda.originals import Originals
from grader.model.kernel import DType
from grader.model.plan import Buffer, LaunchPlan, Role
from grader.model.run import Work
from tests.engines.cuda.host_memory import HostRuntime, pretended_cupy
from tests.engines.little_kernels import little_kernels

N = 64
INPUTS = {name: np.full(N, number, np.float32).tobytes() for number, name in enumerate(("table", "x"))}
WORK = Work(
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


@pytest.mark.parametrize(
    ("name", "of_all", "of_fixed"), [(None, True, True), ("x", False, True), ("table", False, False)]
)
def test_a_changed_original_is_noticed(name: str | None, *, of_all: bool, of_fixed: bool) -> None:
    runtime = HostRuntime()
    with Originals(pretended_cupy(runtime), cast("Any", None), WORK, WORK) as originals:
        for address, block in runtime.blocks.items():
            if name is not None and block.raw == INPUTS[name]:
                ctypes.memset(address + 4 * N - 1, 1, 1)
        assert originals.are_untouched() is of_all
        assert originals.are_untouched(fixed_only=True) is of_fixed
