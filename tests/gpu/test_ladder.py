"""How fast the rungs are on a real GPU, recorded with provenance."""

from collections.abc import Callable
from statistics import median

import pytest

from grader.engines.cuda.engine import CudaEngine
from grader.judge.outputs import output_checks
from grader.judge.speed import seconds, speedup
from grader.labs.manifest import Case, Use
from grader.model.confidence import EARLY_LOOK
from grader.model.run import Comparison, OutputCheck, RunOptions, Work
from grader.model.submission import Language
from tests.gpu import recording
from tests.gpu.ladder import (
    RungKernel,
    baseline_of,
    gpu_cases,
    labs,
    prepared,
    rung_kernels,
    steps_on_gpu,
    work_for,
)

pytestmark = [pytest.mark.gpu, pytest.mark.alone]

OPTIONS = RunOptions(diagnostics=False, timeout=60.0)

TIMED = [(entry, case) for lab in labs() for case in gpu_cases(lab, Use.TIME) for entry in rung_kernels(lab)]

STEPS = [
    pytest.param(lower, higher, gpu_cases(lab, Use.TIME)[-1], id=f"{lower}-{higher.rung.name}")
    for lab in labs()
    for language in Language
    for lower, higher in steps_on_gpu(lab, language)
]
"""Neighbouring rungs of a ladder, and the lab's largest timing case."""


@pytest.mark.parametrize(("entry", "case"), TIMED, ids=[f"{case.name}-{entry}" for entry, case in TIMED])
def test_a_rung_is_timed_against_the_baseline(
    cuda_engine: CudaEngine, entry: RungKernel, case: Case, record_property: Callable[[str, object], None]
) -> None:
    given = prepared(entry.lab, case.name)
    baseline, submission = (
        work_for(each, given, cuda_engine.device.arch) for each in (baseline_of(entry), entry)
    )
    comparison = cuda_engine.compare(baseline, submission, OPTIONS, checks(entry, baseline, submission, case))
    assert comparison.fault is None
    assert len(comparison.pairs) >= EARLY_LOOK
    assert not comparison.modelled
    record_property(recording.TIMED, _record(entry, case, comparison))


@pytest.mark.parametrize(("lower", "higher", "case"), STEPS)
def test_every_step_of_a_ladder_is_faster_on_the_largest_case(
    cuda_engine: CudaEngine, lower: RungKernel, higher: RungKernel, case: Case
) -> None:
    given = prepared(lower.lab, case.name)
    slow, fast = (work_for(each, given, cuda_engine.device.arch) for each in (lower, higher))
    comparison = cuda_engine.compare(slow, fast, OPTIONS, checks(lower, slow, fast, case))
    assert speedup(comparison, lower.rung.name).low > 1


def checks(entry: RungKernel, baseline: Work, submission: Work, case: Case) -> tuple[OutputCheck, ...]:
    """What is looked at while they are timed, as when a student's work is."""
    lab = entry.lab
    expected = prepared(lab, case.name).expected
    return output_checks(submission.plan, baseline.plan, expected, lab.manifest.tolerance.factor)


def _record(entry: RungKernel, case: Case, comparison: Comparison) -> dict[str, object]:
    found = speedup(comparison, entry.lab.manifest.baseline)
    return {
        "lab": entry.lab.name,
        "lab_version": entry.lab.manifest.version,
        "case": case.name,
        "sizes": case.sizes,
        "rung": entry.rung.name,
        "kernel": entry.kernel,
        "language": str(entry.language),
        "baseline": f"{found.baseline} ({entry.language})",
        "baseline_seconds": median(pair.baseline for pair in comparison.pairs),
        "seconds": seconds(comparison),
        "speedup": {"value": found.value, "low": found.low, "high": found.high, "kind": str(found.kind)},
        "pairs": [[pair.baseline, pair.submission] for pair in comparison.pairs],
    }
