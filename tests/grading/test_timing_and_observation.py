"""On a GPU the stages of timing and observation run at the same time, and their facts are merged."""

import threading
from dataclasses import replace
from typing import Any, cast

import pytest

from grader.errors import InfrastructureError
from grader.grading import timing_and_observation
from grader.grading.budget import Budget
from grader.grading.timing_and_observation import time_and_observe
from grader.model.facts import CaseOutcome, KernelFacts
from grader.model.reason import as_written
from grader.model.run import Fault, TimedComparison, TimedPair
from grader.model.verdict import Verdict

RIGHT = CaseOutcome(name="small", verdict=Verdict.ACCEPTED, reason=as_written("right"))
WRONG = replace(RIGHT, verdict=Verdict.WRONG)
TIMES = {"naive": TimedComparison(pairs=(TimedPair(baseline=2.0, submission=1.0),), modelled=False)}
FAULT = Fault(verdict=Verdict.TIMED_OUT, reason=as_written("endless"))
CHECKED = KernelFacts(name="sum", cases=(RIGHT,))

NOTHING = cast("Any", None)


@pytest.fixture
def stages(monkeypatch: pytest.MonkeyPatch) -> dict[str, KernelFacts | Exception]:
    """What timing and observation find; each waits until the other one has begun."""
    found: dict[str, KernelFacts | Exception] = {
        "timed": replace(CHECKED, comparisons=TIMES),
        "observed": CHECKED,
    }
    both = threading.Barrier(2)

    def stage(name: str) -> Any:
        def run(*_: object) -> tuple[KernelFacts]:
            both.wait(timeout=10)
            facts = found[name]
            if isinstance(facts, Exception):
                raise facts
            return (facts,)

        return run

    monkeypatch.setattr(timing_and_observation, "time_kernels", stage("timed"))
    monkeypatch.setattr(timing_and_observation, "_observed", stage("observed"))
    return found


def test_neither_stage_waits_for_the_other(stages: dict[str, KernelFacts | Exception]) -> None:
    stages["observed"] = replace(CHECKED, printed={"small": "hello"})
    (kernel,) = time_and_observe(NOTHING, NOTHING, NOTHING, NOTHING, [CHECKED])
    assert kernel.comparisons == TIMES
    assert kernel.printed == {"small": "hello"}


def test_a_kernel_that_the_emulator_finds_wrong_has_no_times(
    stages: dict[str, KernelFacts | Exception],
) -> None:
    stages["observed"] = replace(CHECKED, cases=(WRONG,))
    (kernel,) = time_and_observe(NOTHING, NOTHING, NOTHING, NOTHING, [CHECKED])
    assert kernel.cases == (WRONG,)
    assert kernel.comparisons == {}


def test_a_kernel_that_cannot_be_timed_is_not_observed(stages: dict[str, KernelFacts | Exception]) -> None:
    stages["timed"] = replace(CHECKED, timing_fault=FAULT)
    stages["observed"] = replace(CHECKED, printed={"small": "hello"})
    assert time_and_observe(NOTHING, NOTHING, NOTHING, NOTHING, [CHECKED]) == (stages["timed"],)


@pytest.mark.parametrize("stage", ["timed", "observed"])
def test_a_fault_of_the_machine_in_either_stage_is_raised(
    stages: dict[str, KernelFacts | Exception], stage: str
) -> None:
    stages[stage] = InfrastructureError("it broke")
    with pytest.raises(InfrastructureError, match="it broke"):
        time_and_observe(NOTHING, NOTHING, NOTHING, NOTHING, [CHECKED])


def test_seconds_of_requests_at_the_same_time_add_up() -> None:
    budget = Budget(60.0)
    both = threading.Barrier(2)

    def spend() -> None:
        with budget.spend(10.0):
            both.wait(timeout=10)
            threading.Event().wait(0.1)

    threads = [threading.Thread(target=spend) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert budget.used is not None
    assert budget.used.used >= 0.2
