"""Barriers of the whole grid, in CUDA C and in Numba."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba import cuda

from grader.compile.numba_no_device import no_device
from grader.compile.toolkit_headers import toolkit_options
from grader.model.diagnostic import DiagnosticKind
from grader.model.run import RunOptions
from grader.model.verdict import Verdict
from tests.engines.emulator.surface_kernels import GRID_SYNC, complaints
from tools.emulator.compiling import Argument, Out, Ran, Scratch, line_of, ptx_of, run_numba, run_ptx
from tools.messages import english

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


def test_more_blocks_than_the_device_holds_are_refused() -> None:
    ran = rotated(block=1024, blocks=200)
    assert ran.fault is not None
    assert ran.fault.verdict is Verdict.CRASHED
    (found,) = ran.found(DiagnosticKind.INVALID_LAUNCH)
    assert "200" in english(found.message)


def test_a_grid_waits_for_all_its_blocks_in_numba() -> None:
    def run(x: Any, out: Any, n: Any) -> None:
        i = cuda.grid(1)
        x[i] = i
        cuda.cg.this_grid().sync()
        out[i] = x[(i + 100) % n]

    arguments: dict[str, Argument] = {"x": Scratch((256,), I32), "out": Out((256,), I32), "n": 256}
    with no_device():
        ran = run_numba(run, 4, 64, arguments)
    assert ran["out"].tolist() == ROTATED
    assert complaints(ran) == []


def turned(x: Any, out: Any) -> None:
    """Three times: every thread writes an element, then reads its neighbour's."""
    i = cuda.grid(1)
    for step in range(3):
        x[i] = out[(i + 1) % x.size] if step else i
        cuda.cg.this_grid().sync()
        out[i] = x[(i + 1) % x.size]
        cuda.cg.this_grid().sync()


def half_ordered(x: Any, out: Any) -> None:
    """The same with one barrier per round."""
    i = cuda.grid(1)
    for step in range(3):
        x[i] = out[(i + 1) % x.size] if step else i
        cuda.cg.this_grid().sync()
        out[i] = x[(i + 1) % x.size]


def deserted(x: Any, out: Any) -> None:
    """One block leaves before the barrier."""
    if cuda.blockIdx.x == 2:
        return
    i = cuda.grid(1)
    x[i] = i
    cuda.cg.this_grid().sync()  # all but one
    out[i] = x[(i + 1) % x.size]


def run_in_numba(kernel: Callable[..., None], *, diagnostics: bool = True) -> Ran:
    arguments: dict[str, Argument] = {"x": Out((960,), I32), "out": Out((960,), I32)}
    with no_device():
        return run_numba(kernel, 10, 96, arguments, options=RunOptions(diagnostics=diagnostics))


@pytest.mark.parametrize("diagnostics", [True, False])
def test_round_after_round_is_ordered(*, diagnostics: bool) -> None:
    ran = run_in_numba(turned, diagnostics=diagnostics)
    assert np.array_equal(ran["out"], (np.arange(960) + 5) % 960)
    assert ran.found(DiagnosticKind.GLOBAL_RACE, DiagnosticKind.UNINITIALISED) == []


def test_one_barrier_a_round_leaves_a_race_with_the_next_round() -> None:
    assert run_in_numba(half_ordered).found(DiagnosticKind.GLOBAL_RACE)


def test_a_block_that_misses_the_barrier_holds_up_all_others() -> None:
    ran = run_in_numba(deserted, diagnostics=False)
    assert ran.fault is not None
    assert ran.fault.verdict is Verdict.TIMED_OUT
    (found,) = ran.found(DiagnosticKind.ENDLESS_WAIT)
    lines, first = inspect.getsourcelines(deserted)
    assert found.line == first - 1 + line_of("".join(lines), "# all but one")
    assert "for all blocks to arrive; 9 of 10 blocks were resident and all waited, 1 had ended" in english(
        found.message
    )
