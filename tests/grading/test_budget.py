"""The seconds of a submission are counted over all its requests, and nothing of Grader's own uses them."""

import time
from dataclasses import replace

import pytest

from grader.config.settings import LimitSettings
from grader.grading.budget import Budget
from grader.grading.cases import EVERY_CASE
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules
from grader.grading.submission import collect_facts
from grader.judge.score import score
from grader.model.reason import as_written, reason
from grader.model.run import EngineKind, Fault
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.report.redact import redact
from grader.sandbox.port import LossCause, WorkerLostError
from grader.sandbox.process import ProcessSandbox
from tools.labs import built_in_labs
from tools.messages import english

TIMED_OUT = WorkerLostError(LossCause.TIMED_OUT, as_written("no answer"))


def test_a_request_may_take_what_is_left() -> None:
    budget = Budget(10)
    with budget.spend(3) as seconds:
        assert seconds == 3
    with budget.spend(60) as seconds:
        assert 9 < seconds <= 10


def test_the_wait_between_requests_does_not_count() -> None:
    budget = Budget(0.05)
    time.sleep(0.1)
    with budget.spend(1):
        pass
    assert budget.fault is None


def test_no_request_starts_without_seconds_left() -> None:
    budget = Budget(0.01)
    with budget.spend(1):
        time.sleep(0.02)
    assert budget.fault is None
    with pytest.raises(WorkerLostError) as caught, budget.spend(1):
        pass
    assert caught.value.cause is LossCause.OUT_OF_SECONDS
    assert budget.fault is not None
    assert budget.fault.verdict is Verdict.OVER_THE_LIMIT


@pytest.mark.parametrize(("seconds", "cause"), [(1, LossCause.OUT_OF_SECONDS), (0.01, LossCause.TIMED_OUT)])
def test_a_request_that_the_budget_cut_short_is_over_it(seconds: float, cause: LossCause) -> None:
    with pytest.raises(WorkerLostError) as caught, Budget(0.5).spend(seconds):
        raise TIMED_OUT
    assert caught.value.cause is cause


def test_only_a_time_out_at_the_end_of_the_budget_is_judged_anew() -> None:
    fault = Fault(verdict=Verdict.TIMED_OUT, reason=reason("out-of-time", seconds=1, thread="", line=""))
    crash = replace(fault, verdict=Verdict.CRASHED)
    budget = Budget(0.01)
    assert budget.judged(fault) is fault
    with budget.spend(1):
        time.sleep(0.02)
    assert budget.judged(crash) is crash
    judged = budget.judged(fault)
    assert judged is not None
    assert judged.verdict is Verdict.OVER_THE_LIMIT


HOLDER = b"""
__device__ void hold() {
    volatile int x = 0;
    if (threadIdx.x == 0 && blockIdx.x == 0) for (int i = 0; i < 4000000; i++) x = x * 5 + i;
}
__global__ void vector_add(const float *a, const float *b, float *c, int n) {
    hold();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) c[i] = a[i] + b[i];
}
"""
"""Right, and in every run well below the limit of one run."""


def test_kernels_below_every_limit_of_a_run_stay_below_that_of_all() -> None:
    lab = built_in_labs().get("vector-add")
    holder = Submission(
        student="ann",
        lab=lab.name,
        language=Language.CUDA_C,
        files=(SourceFile(name="vector_add.cu", data=HOLDER),),
        path="vector_add.cu",
    )
    limits = LimitSettings(submission_seconds=1.5)
    with ProcessSandbox() as sandbox:
        environment = GradingEnvironment.open(
            sandbox, EngineKind.EMULATOR, "t4", limits, modelled_counts=True
        )
        started = time.monotonic()
        facts = collect_facts(lab, holder, RungModules(environment), 7, EVERY_CASE)
        took = time.monotonic() - started
    report = score(facts, lab.manifest, holder.identity, modelled_counts=True)
    assert report.verdict is Verdict.OVER_THE_LIMIT
    assert report.time_used is not None
    assert report.time_used.used == report.time_used.limit == 1.5
    assert "1.5 s" in english(report.reason)
    assert report.score < 70
    assert took < 60
    assert redact(report).time_used is None
