"""Every rung of the built-in labs is right on a real GPU, in both languages; recorded with provenance."""

from collections.abc import Callable

import pytest

from grader.engines.cuda.engine import CudaEngine
from grader.judge.wrong_output import mismatch
from grader.labs.manifest import Case, Use
from grader.model.run import RunOptions
from tests.gpu.recording import RIGHT
from tools.rung_kernels import RungKernel, gpu_cases, job_for, labs, named, prepared, rung_kernels

pytestmark = pytest.mark.gpu

# Cases are outermost, so that the inputs of a large case are drawn once.
CHECKS = [
    (entry, case) for lab in labs() for case in gpu_cases(lab, Use.CHECK) for entry in rung_kernels(lab)
]

OPTIONS = RunOptions(timeout=60.0)


def test_there_are_labs_to_run_in_both_languages() -> None:
    assert {entry.lab.name for entry, _ in CHECKS} >= {"matmul", "transpose", "row-sum"}
    assert {str(entry.language) for entry, _ in CHECKS} == {"cuda-c", "numba"}


@pytest.mark.parametrize(("entry", "case"), CHECKS, ids=map(named, CHECKS))
def test_a_rung_is_right_on_the_gpu(
    cuda_engine: CudaEngine, entry: RungKernel, case: Case, record_property: Callable[[str, object], None]
) -> None:
    given = prepared(entry.lab, case.name)
    job = job_for(entry, given, cuda_engine.device.arch)
    units = {job.module.kernel(launch.kernel).unit for launch in job.plan.launches}
    assert all(cuda_engine.device.arch in job.module.units[unit].cubins for unit in units)
    result = cuda_engine.run(job, OPTIONS)
    assert result.fault is None
    assert result.changed_inputs == ()
    assert mismatch(result.outputs, job.plan, given.expected, entry.lab.manifest.tolerance.factor) is None
    kernel = {"lab": entry.lab.name, "rung": entry.rung.name, "kernel": entry.kernel}
    record_property(RIGHT, {**kernel, "language": str(entry.language), "case": case.name})
