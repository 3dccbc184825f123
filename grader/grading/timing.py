"""Timing right kernels against the baseline and the rungs that the rubric names."""

from grader.grading.context import GradingContext, KernelRecord
from grader.grading.rungs import RungModules
from grader.grading.session import RunSession
from grader.judge.outputs import output_checks


def time_kernels(subject: GradingContext, session: RunSession, rungs: RungModules) -> None:
    """Compare every kernel that is right on the lab's timing case: the last one that the engine can carry."""
    timing = subject.timing_case
    right = [record for record in subject.kernels.values() if record.all_right]
    if timing is None or not right:
        return
    prepared = subject.prepared(timing)
    factor = subject.lab.manifest.tolerance.factor
    for record in right:
        submission = subject.work(record.spec, prepared.inputs)
        for rung_name in opponents(subject, record):
            reference = rungs.work(
                subject.lab, rung_name, subject.language, record.spec.name, prepared.inputs
            )
            checks = output_checks(submission.plan, reference.plan, prepared.expected, factor)
            targets = subject.lab.manifest.rubric.targets(record.spec.name, rung_name)
            comparison = session.compare(reference, submission, checks, targets)
            if comparison.fault is not None:
                record.fault = comparison.fault
                record.comparisons.clear()  # what went wrong beside one rung was not to be trusted beside another
                break
            record.comparisons[rung_name] = comparison


def opponents(subject: GradingContext, record: KernelRecord) -> list[str]:
    """The baseline, for the speedup that is shown and the roofline, then every other rung a speed rule names."""
    rules = subject.lab.manifest.rubric.speed
    named = [rule.over for rule in rules if rule.kernel == record.spec.name and rule.over is not None]
    return list(dict.fromkeys([subject.lab.manifest.baseline, *named]))
