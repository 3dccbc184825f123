"""A real GPU and the emulator agree on kernels beyond arithmetic: pointers, heap, matrices, groups of threads."""

import numpy as np
import pytest

from grader.engines.cuda.engine import CudaEngine
from grader.engines.emulator.engine import EmulatorEngine
from grader.model.devices import TESLA_T4
from grader.model.run import RunOptions
from tests.engines.emulator.surface_kernels import SurfaceCase, surface_cases
from tests.engines.emulator.texture_kernels import texture_cases
from tools.emulator.compiling import cubin_of, job_of, ptx_of

pytestmark = pytest.mark.gpu

CASES = [*surface_cases(), *texture_cases()]
OPTIONS = RunOptions(diagnostics=False, timeout=60.0)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_gpu_and_emulator_agree(cuda_engine: CudaEngine, case: SurfaceCase) -> None:
    arch = cuda_engine.device.arch
    job = job_of(
        ptx_of(case.source, *case.options),
        "run",
        case.grid,
        case.block,
        case.arguments,
        shared=case.shared,
        cubins={arch: cubin_of(case.source, arch, *case.options)},
    )
    on_gpu, emulated = cuda_engine.run(job, OPTIONS), EmulatorEngine(TESLA_T4).run(job, OPTIONS)
    assert (on_gpu.fault, emulated.fault) == (None, None)
    for name, wanted in case.expected.items():
        ours = np.frombuffer(emulated.outputs[name], wanted.dtype).astype(np.float64)
        theirs = np.frombuffer(on_gpu.outputs[name], wanted.dtype).astype(np.float64)
        off = np.flatnonzero(~(np.abs(ours - theirs) <= case.tolerance))
        shown = [(int(i), ours[i], theirs[i]) for i in off[:10]]
        assert not len(off), f"{len(off)} of {len(ours)} of {name} differ; index, emulator, GPU: {shown}"
