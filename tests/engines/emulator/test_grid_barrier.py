"""Barriers of the whole grid, in CUDA C and in Numba."""

from typing import Any

import numpy as np
from numba import cuda

from grader.build.includes import toolkit_options
from grader.build.numba_stand_in import stand_in
from grader.model.diagnostic import DiagnosticKind
from grader.model.verdict import Verdict
from tests.engines.emulator.compiling import Argument, Out, Ran, Scratch, ptx_of, run_numba, run_ptx
from tests.engines.emulator.surface_kernels import GRID_SYNC, complaints

I32 = np.int32
ROTATED = np.roll(np.arange(256), -100).tolist()


def rotated(source: str = GRID_SYNC, block: int = 64, blocks: int = 4) -> Ran:
    ptx = ptx_of(source, *toolkit_options())
    n = block * blocks
    return run_ptx(ptx, "run", blocks, block, {"x": Scratch((n,), I32), "out": Out((n,), I32), "n": n})


def test_a_grid_waits_for_all_its_blocks_in_cuda_c() -> None:
    ran = rotated()
    assert ran["out"].tolist() == ROTATED
    assert complaints(ran) == []


def test_without_the_barrier_of_the_grid_it_is_a_race() -> None:
    assert rotated(GRID_SYNC.replace("grid.sync();", "")).found(DiagnosticKind.GLOBAL_RACE)


def test_more_blocks_than_the_device_holds_can_never_meet() -> None:
    ran = rotated(block=1024, blocks=200)
    assert ran.fault is not None
    assert ran.fault.verdict in {Verdict.TIMED_OUT, Verdict.NOT_GRADABLE}
    assert ran.found(DiagnosticKind.ENDLESS_WAIT)


def test_a_grid_waits_for_all_its_blocks_in_numba() -> None:
    def run(x: Any, out: Any, n: Any) -> None:
        i = cuda.grid(1)
        x[i] = i
        cuda.cg.this_grid().sync()
        out[i] = x[(i + 100) % n]

    arguments: dict[str, Argument] = {"x": Scratch((256,), I32), "out": Out((256,), I32), "n": 256}
    with stand_in({}):
        ran = run_numba(run, 4, 64, arguments)
    assert ran["out"].tolist() == ROTATED
    assert complaints(ran) == []
