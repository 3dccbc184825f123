"""The checking stage: run every kernel on every case, and judge its outputs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from grader.grading.cases import PreparedCase
from grader.grading.context import GradingContext, UnbuiltKernelError
from grader.grading.host_causes import with_host_cause
from grader.grading.kernel_facts import unfinished_case, with_outcome, with_run
from grader.grading.session import RunSession
from grader.judge.agreement import disagreement
from grader.judge.findings import buffers_read_first, decisive_race
from grader.judge.outputs import arrays_of, is_written
from grader.judge.wrong_map import wrong_map
from grader.judge.wrong_output import mismatch
from grader.labs.geometry import GeometryError
from grader.labs.manifest import Case, Use
from grader.model.facts import Agreement, CaseOutcome, KernelFacts
from grader.model.plan import LaunchPlan
from grader.model.reason import Reason, reason
from grader.model.run import RunResult
from grader.model.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What the checking stage found."""

    kernels: tuple[KernelFacts, ...]
    agreement: Agreement


@dataclass(frozen=True, slots=True, kw_only=True)
class _CaseRun:
    """A kernel after a case, and its outputs by buffer, if it finished and wrote all of them."""

    kernel: KernelFacts
    outputs: dict[str, NDArray[Any]] | None = None


def judge_run(result: RunResult, plan: LaunchPlan, prepared: PreparedCase, factor: float) -> CaseOutcome:
    """The outcome of one run on one case. ``factor`` is the manifest's tolerance factor."""
    case = prepared.inputs.case.name
    if result.fault is not None:
        return CaseOutcome(name=case, verdict=result.fault.verdict, reason=result.fault.reason)
    if changed := result.changed_inputs:
        return _wrong(case, reason("writes-to-input", count=len(changed), names=changed))
    early = buffers_read_first(result.diagnostics)
    # An output that the oracle does not name is left to the lab's check.
    named = any(buffer.name in prepared.expected for buffer in plan.returned) or prepared.check is None
    wrong = mismatch(result.outputs, plan, prepared.expected, factor, early) if named else None
    if wrong:
        picture = wrong_map(result.outputs, plan, prepared.expected, factor, early)
        return CaseOutcome(name=case, verdict=Verdict.WRONG, reason=wrong, wrong_map=picture)
    if prepared.check is not None and (problem := prepared.check(arrays_of(result.outputs, plan))):
        return _wrong(case, reason("lab-check-failed", problem=problem))
    if race := decisive_race(result.diagnostics):
        return _wrong(case, race)
    return CaseOutcome(name=case, verdict=Verdict.ACCEPTED, reason=reason("case-right"))


def _wrong(case: str, why: Reason) -> CaseOutcome:
    return CaseOutcome(name=case, verdict=Verdict.WRONG, reason=why)


def check(context: GradingContext, session: RunSession, kernels: Sequence[KernelFacts]) -> Checked:
    """Run and judge the checking cases of ``kernels``, as built, in ``session``."""
    complete, disagreements = bool(context.cases), []
    for case in context.cases_for(Use.CHECK):
        prepared = context.prepared(case)
        runs = [_checked(context, session, kernel, prepared) for kernel in kernels]
        kernels = [run.kernel for run in runs]
        outputs = {run.kernel.name: run.outputs for run in runs if run.outputs is not None}
        if len(outputs) < len(kernels):
            complete = False
        elif flaw := disagreement(
            case.name, outputs, prepared.expected, context.lab.manifest.tolerance.factor
        ):
            disagreements.append(flaw)
    agreement = Agreement(complete=complete, disagreements=tuple(disagreements))
    return Checked(kernels=tuple(kernels), agreement=agreement)


def _checked(
    context: GradingContext, session: RunSession, kernel: KernelFacts, prepared: PreparedCase
) -> _CaseRun:
    """Run one kernel on one case."""
    if kernel.build_fault is not None:
        return _CaseRun(kernel=kernel)
    case = prepared.inputs.case
    if unfinished := unfinished_case(kernel):
        skipped = reason("not-run-after-time-out", case=unfinished)
        return _stopped(kernel, case, Verdict.TIMED_OUT, skipped)
    try:
        job = context.job(kernel.name, prepared.inputs)
    except UnbuiltKernelError as error:
        return _stopped(kernel, case, Verdict.FAILED_TO_BUILD, error.reason)
    except GeometryError as error:
        return _stopped(kernel, case, Verdict.CRASHED, reason("invalid-geometry", problem=error.reason))
    result = session.run(job)
    outcome = judge_run(result, job.plan, prepared, context.lab.manifest.tolerance.factor)
    outcome = with_host_cause(outcome, context.module, job.plan)
    kernel = with_outcome(with_run(kernel, case, result, context.observed), outcome)
    arrays = {} if result.fault else arrays_of(result.outputs, job.plan)
    complete = bool(arrays) and all(map(is_written, arrays.values()))
    return _CaseRun(kernel=kernel, outputs=arrays if complete else None)


def _stopped(kernel: KernelFacts, case: Case, verdict: Verdict, why: Reason) -> _CaseRun:
    """The kernel after a case in which nothing was launched."""
    outcome = CaseOutcome(name=case.name, verdict=verdict, reason=why)
    return _CaseRun(kernel=with_outcome(kernel, outcome))
