"""Judge drawn launches of a comparison on the host, where no comparison with the baseline's output can do it."""

from collections.abc import Callable

from grader.grading.cases import CaseInputs, prepare_drawn
from grader.grading.checks import judge_run
from grader.grading.context import GradingContext
from grader.judge.timed_outputs import needs_samples
from grader.labs.expected import Expected
from grader.model.reason import reason
from grader.model.run import Fault, LaunchJob, RunResult, TimedSample

SampleJudge = Callable[[TimedSample], Fault | None]
"""What is wrong with a timed launch. Raises: ``LabError``."""


def sample_judge(
    context: GradingContext, job: LaunchJob, inputs: CaseInputs, expected: dict[str, Expected]
) -> SampleJudge | None:
    """The judge of timed launches of ``job`` on other inputs than ``inputs``; ``None`` where none is needed."""
    lab = context.lab
    if not (lab.checks or needs_samples(job.plan, expected)):
        return None

    def judge(sample: TimedSample) -> Fault | None:
        data = {**inputs.data, **sample.inputs}
        drawn = {name: job.plan.buffer(name).array(given) for name, given in sample.inputs.items()}
        arrays = {**inputs.arrays, **drawn}
        prepared = prepare_drawn(lab, CaseInputs(case=inputs.case, arrays=arrays, data=data))
        outcome = judge_run(
            RunResult(outputs=sample.outputs), job.plan, prepared, lab.manifest.tolerance.factor
        )
        if outcome.verdict.earns_correctness:
            return None
        return Fault(verdict=outcome.verdict, reason=reason("wrong-when-timed", reason=outcome.reason))

    return judge
