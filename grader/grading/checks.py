"""Run every kernel on every case, judge its outputs, and time the kernels that pass."""

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from grader.grading.cases import PreparedCase, draw_inputs
from grader.grading.context import GradingContext, KernelRecord
from grader.grading.diagnostics import race_reason
from grader.grading.rungs import RungModules
from grader.grading.session import RunSession
from grader.judge.agreement import disagreement
from grader.judge.outputs import arrays_of, is_written, mismatch, output_checks
from grader.judge.wrong_map import wrong_map
from grader.labs.geometry import GeometryError
from grader.labs.manifest import Use
from grader.messages import render
from grader.model.diagnostic import DiagnosticKind
from grader.model.plan import LaunchPlan
from grader.model.report import Visibility
from grader.model.run import EngineKind, RunResult
from grader.model.verdict import Verdict
from grader.model.wrong_map import WrongMap

_NEVER_ENDING = {DiagnosticKind.ENDLESS_LOOP, DiagnosticKind.ENDLESS_WAIT}
"""A kernel with such a finding may get another verdict than a time-out; it would still time out in every case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Whether all kernels finished all cases, and the first two kernels with different results."""

    complete: bool
    disagreement: str | None


def judge_run(
    result: RunResult, plan: LaunchPlan, prepared: PreparedCase, factor: float
) -> tuple[Verdict, str]:
    """Verdict of one run on one case, with its reason. ``factor`` is the manifest's tolerance factor."""
    if result.fault is not None:
        return result.fault.verdict, render(result.fault.reason)
    if result.changed_inputs:
        return Verdict.WRONG, f"it writes to its input {', '.join(result.changed_inputs)}"
    if wrong := mismatch(result.outputs, plan, prepared.expected, factor):
        return Verdict.WRONG, wrong
    if race := race_reason(result.diagnostics):
        return Verdict.WRONG, race
    return Verdict.ACCEPTED, "right"


def run_checks(context: GradingContext, session: RunSession) -> Agreement:
    """Run and judge the checking cases in ``session``; record the outcome in the context's kernel records."""
    complete, flaws = True, []
    for case in context.cases_for(Use.CHECK):
        prepared = context.prepared(case)
        outputs: dict[str, dict[str, NDArray[Any]]] = {}
        for record in context.kernels.values():
            if record.fault is None and (arrays := _check(context, session, record, prepared)) is not None:
                outputs[record.spec.name] = arrays
        if len(outputs) < len(context.kernels):
            complete = False
        elif flaw := disagreement(outputs, prepared.expected, context.lab.manifest.tolerance.factor):
            flaws.append(f"{flaw} (case {case.name})")
    return Agreement(complete=complete and bool(context.cases), disagreement=next(iter(flaws), None))


def observe(context: GradingContext, emulator: RunSession) -> None:
    """Collect on the emulator what a GPU does not report: memory use of right kernels, errors of wrong ones.

    A race found here makes a kernel wrong even if its outputs on the GPU are right, as when the emulator grades.
    """
    cases = {case.name: case for case in context.lab.manifest.cases if EngineKind.EMULATOR in case.engines}
    for record in context.kernels.values():
        failed = (case.name for case in record.cases if not case.verdict.earns_correctness)
        name = context.observed.name if record.all_cases_passed and context.observed else next(failed, None)
        if record.fault is None and name in cases:
            inputs = draw_inputs(context.lab, cases[name], context.seed)
            try:
                job = context.job(record.spec, inputs)
            except GeometryError:
                continue  # the case's verdict states the error; no launch to observe
            result = emulator.run(job)
            record.add_run(cases[name], result, context.observed)
            if record.all_cases_passed and (race := race_reason(result.diagnostics)):
                record.replace_verdict(cases[name], Verdict.WRONG, race)


def _check(
    context: GradingContext, session: RunSession, record: KernelRecord, prepared: PreparedCase
) -> dict[str, NDArray[Any]] | None:
    """Run one kernel on one case. Returns: its outputs, if it finished and wrote all of them."""
    case = prepared.inputs.case
    if record.timed_out_in is not None:
        record.add_case(case, Verdict.TIMED_OUT, f"not run: it timed out in case {record.timed_out_in}")
        return None
    try:
        job = context.job(record.spec, prepared.inputs)
    except GeometryError as error:
        record.add_case(case, Verdict.CRASHED, f"invalid launch: {error}")
        return None
    result = session.run(job)
    record.add_run(case, result, context.observed)
    verdict, reason = judge_run(result, job.plan, prepared, context.lab.manifest.tolerance.factor)
    record.add_case(case, verdict, reason, _picture(context, result, job.plan, prepared))
    if verdict is Verdict.TIMED_OUT or any(found.kind in _NEVER_ENDING for found in result.diagnostics):
        record.timed_out_in = case.name
    arrays = {} if result.fault else arrays_of(result.outputs, job.plan)
    return arrays if arrays and all(map(is_written, arrays.values())) else None


def _picture(
    context: GradingContext, result: RunResult, plan: LaunchPlan, prepared: PreparedCase
) -> WrongMap | None:
    """The map of the wrong elements, for a public case: it shows the sizes of the case."""
    if result.fault is not None or prepared.inputs.case.visibility is not Visibility.PUBLIC:
        return None
    return wrong_map(result.outputs, plan, prepared.expected, context.lab.manifest.tolerance.factor)


def time_kernels(context: GradingContext, session: RunSession, rungs: RungModules) -> None:
    """Time every kernel that passed all cases against the rungs that it is compared with, on the timing case."""
    timing = context.timing_case
    passed = [record for record in context.kernels.values() if record.all_cases_passed]
    if timing is None or not passed:
        return
    prepared = context.prepared(timing)
    factor = context.lab.manifest.tolerance.factor
    for record in passed:
        submission = context.job(record.spec, prepared.inputs)
        for rung_name in compared_rungs(context, record):
            reference = rungs.job(context.lab, rung_name, context.language, record.spec.name, prepared.inputs)
            checks = output_checks(submission.plan, reference.plan, prepared.expected, factor)
            targets = context.lab.manifest.rubric.targets(record.spec.name, rung_name)
            comparison = session.compare(reference, submission, checks, targets)
            if comparison.fault is not None:
                record.fault = comparison.fault
                record.comparisons.clear()  # a failure in one comparison makes all of them untrustworthy
                break
            record.comparisons[rung_name] = comparison


def compared_rungs(context: GradingContext, record: KernelRecord) -> list[str]:
    """Rungs to time against: the baseline (for the reported speedup and the roofline), then those of speed rules."""
    rules = context.lab.manifest.rubric.speed
    named = [rule.over for rule in rules if rule.kernel == record.spec.name and rule.over is not None]
    return list(dict.fromkeys([context.lab.manifest.baseline, *named]))
