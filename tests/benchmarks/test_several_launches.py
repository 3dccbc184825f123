"""Plans of several launches are modelled and timed as a whole."""

import pytest

from benchmarks.candidates import Candidate, baseline_of, in_common, rungs
from benchmarks.problems import Modeller
from grader.labs.geometry import launch_shape
from grader.model.devices import TESLA_T4
from grader.model.plan import LaunchPlan
from grader.model.submission import Language
from tools.labs import built_in_labs

LAB = built_in_labs().get("reduction")


def candidate(rung: str, kernel: str) -> Candidate:
    return next(
        each
        for each in rungs(LAB)
        if (each.label, each.language) == (f"{rung}, {kernel}", Language.CUDA_C) and each.kernel == kernel
    )


def smallest_plan(kernel: str) -> LaunchPlan:
    request = LAB.manifest.kernel(kernel)
    return LAB.plan_for(request.spec, LAB.manifest.cases[0], request.launch, {"n": 1})


def test_kernels_of_one_rung_are_contenders_of_their_own() -> None:
    every = rungs(LAB)
    assert len({each.key for each in every}) == len(every) == 2 * 2 * len(LAB.manifest.rungs)
    assert baseline_of(candidate("expert", "reduce_int32")) == candidate("global", "reduce_int32").key


def test_a_time_is_that_of_all_launches() -> None:
    entry = candidate("reduce3", "reduce_float32")
    modeller = Modeller.of([entry], TESLA_T4, TESLA_T4.arch)
    one = modeller.seconds(entry, (("n", 256),), TESLA_T4)
    two = modeller.seconds(entry, (("n", 512),), TESLA_T4)
    assert two - one == pytest.approx(TESLA_T4.launch_overhead, rel=0.5)
    # 2**18 values are counted; of 2**26, which need one launch more, everything grows with the values.
    part = modeller.seconds(entry, (("n", 2**18),), TESLA_T4)
    whole = modeller.seconds(entry, (("n", 2**26),), TESLA_T4)
    assert whole > 100 * (part - 2 * TESLA_T4.launch_overhead)


def test_candidates_with_separate_grids_share_buffers() -> None:
    kernels = [request.spec for request in LAB.manifest.kernels]
    case = LAB.manifest.cases[4]
    plans = [LAB.plan_for(spec, case, LAB.manifest.kernel(spec.name).launch, case.sizes) for spec in kernels]
    narrow = LAB.manifest.kernel("reduce_int32").launch
    assert launch_shape(narrow, case.sizes).grid.size == plans[0].buffer("a_sums_1").size
    shared = in_common([*plans, smallest_plan("reduce_int32")])
    names = [buffer.name for buffer in shared.buffers]
    assert len(set(names)) == len(names)
    for each in (buffer for plan in plans for buffer in plan.buffers):
        assert shared.buffer(each.name).nbytes >= each.nbytes
