"""Timing right kernels against the baseline and the rungs that the rubric names."""

from grader.grading.context import GradingContext, KernelRecord
from grader.grading.rungs import RungModules
from grader.grading.session import RunSession
from grader.judge.outputs import output_checks


def time_kernels(context: GradingContext, session: RunSession, rungs: RungModules) -> None:
    """Compare every kernel that is right on the lab's timing case: the last one that the engine can carry."""
    timing = context.timing_case
    right = [record for record in context.kernels.values() if record.all_cases_passed]
    if timing is None or not right:
        return
    prepared = context.prepared(timing)
    factor = context.lab.manifest.tolerance.factor
    for record in right:
        submission = context.job(record.spec, prepared.inputs)
        for rung_name in compared_rungs(context, record):
            reference = rungs.job(context.lab, rung_name, context.language, record.spec.name, prepared.inputs)
            checks = output_checks(submission.plan, reference.plan, prepared.expected, factor)
            targets = context.lab.manifest.rubric.targets(record.spec.name, rung_name)
            comparison = session.compare(reference, submission, checks, targets)
            if comparison.fault is not None:
                record.fault = comparison.fault
                record.comparisons.clear()  # what went wrong beside one rung was not to be trusted beside another
                break
            record.comparisons[rung_name] = comparison


def compared_rungs(context: GradingContext, record: KernelRecord) -> list[str]:
    """The baseline, for the speedup that is shown and the roofline, then every other rung a speed rule names."""
    rules = context.lab.manifest.rubric.speed
    named = [rule.over for rule in rules if rule.kernel == record.spec.name and rule.over is not None]
    return list(dict.fromkeys([context.lab.manifest.baseline, *named]))
