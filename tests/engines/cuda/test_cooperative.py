"""Which kernels need a cooperative launch."""

from grader.compile.includes import toolkit_options
from grader.engines.cuda.kernels import waits_for_grid
from tests.engines.emulator.compiling import ptx_of
from tests.engines.emulator.surface_kernels import GRID_SYNC

BOTH = GRID_SYNC + 'extern "C" __global__ void plain(int* x) { x[threadIdx.x] = 1; }'


def test_only_the_kernel_that_waits_for_its_grid_is_launched_cooperatively() -> None:
    ptx = ptx_of(BOTH, *toolkit_options())
    assert waits_for_grid(ptx, "run")
    assert not waits_for_grid(ptx, "plain")
    assert not waits_for_grid(ptx, "missing")
