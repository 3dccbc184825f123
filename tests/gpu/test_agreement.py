"""A real GPU and the emulator give the same answers, within the labs' tolerances."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from grader.engines.cuda.engine import CudaEngine
from grader.engines.emulator.engine import EmulatorEngine
from grader.judge.outputs import arrays_of
from grader.judge.wrong_output import mismatch
from grader.labs.manifest import Case, Use
from grader.model.devices import TESLA_T4
from grader.model.run import EngineKind, RunOptions
from tests.gpu.not_comparable import ROUNDED_DIFFERENTLY
from tools.rung_kernels import RungKernel, gpu_cases, job_for, labs, named, prepared, rung_kernels

pytestmark = pytest.mark.gpu

ON_BOTH = [
    (entry, case)
    for lab in labs()
    for case in gpu_cases(lab, Use.CHECK)
    if EngineKind.EMULATOR in case.engines
    for entry in rung_kernels(lab)
]

OPTIONS = RunOptions(diagnostics=False, timeout=60.0, max_steps=2_000_000_000)


@pytest.fixture(scope="module")
def emulator() -> Iterator[EmulatorEngine]:
    engine = EmulatorEngine(TESLA_T4)
    yield engine
    engine.close()


@pytest.mark.parametrize(("entry", "case"), ON_BOTH, ids=map(named, ON_BOTH))
def test_gpu_and_emulator_agree(
    cuda_engine: CudaEngine, emulator: EmulatorEngine, entry: RungKernel, case: Case
) -> None:
    given = prepared(entry.lab, case.name)
    job = job_for(entry, given, cuda_engine.device.arch)
    on_gpu, emulated = cuda_engine.run(job, OPTIONS), emulator.run(job, OPTIONS)
    assert (on_gpu.fault, emulated.fault) == (None, None)
    wanted = {
        name: replace(expected, value=array.astype(np.float64)[: len(expected.value)])
        for name, array in arrays_of(emulated.outputs, job.plan).items()
        for expected in [given.expected[name]]
    }
    sides = 2 if (entry.lab.name, entry.kernel) in ROUNDED_DIFFERENTLY else 1
    assert mismatch(on_gpu.outputs, job.plan, wanted, sides * entry.lab.manifest.tolerance.factor) is None
