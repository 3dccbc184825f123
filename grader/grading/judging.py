"""One run of one case as a verdict with its reason."""

from grader.grading.cases import PreparedCase
from grader.grading.diagnostics import race_reason
from grader.judge.outputs import mismatch
from grader.model.plan import LaunchPlan
from grader.model.run import RunResult
from grader.model.verdict import Verdict


def judged(result: RunResult, plan: LaunchPlan, prepared: PreparedCase, factor: float) -> tuple[Verdict, str]:
    """Whether the outputs are right and rightly come by. ``factor`` is the manifest's tolerance factor."""
    if result.fault is not None:
        return result.fault.verdict, result.fault.reason
    if result.changed_inputs:
        return Verdict.WRONG, f"it writes to its input {', '.join(result.changed_inputs)}"
    if wrong := mismatch(result.outputs, plan, prepared.expected, factor):
        return Verdict.WRONG, wrong
    if race := race_reason(result.diagnostics):
        return Verdict.WRONG, race
    return Verdict.ACCEPTED, "right"
