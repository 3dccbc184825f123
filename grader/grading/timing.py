"""Timing right kernels against the baseline and the rungs that the rubric names."""

from grader.grading.bench import RunSession
from grader.grading.cases import draw_inputs
from grader.grading.rungs import RungModules
from grader.grading.subject import KernelRecord, Subject, work
from grader.model.module import DeviceModule
from grader.model.run import Work


def time_kernels(subject: Subject, session: RunSession, rungs: RungModules) -> None:
    """Compare every kernel that is right on the lab's timing case: the last one that the engine can carry."""
    timing = subject.timing_case
    right = [record for record in subject.kernels.values() if record.all_right]
    if timing is None or not right:
        return
    inputs = draw_inputs(subject.lab, timing, subject.seed)
    manifest = subject.lab.manifest

    def reference(rung_name: str, kernel: str) -> Work:
        rung = manifest.rung(rung_name)
        module: DeviceModule = rungs.module(subject.lab, rung, subject.language)
        name = kernel if kernel in rung.kernels else rung.kernels[0]
        return work(subject.lab, module, manifest.kernel(name).spec, inputs)

    for record in right:
        submission = subject.work(record.spec, inputs)
        for rung_name in _opponents(subject, record):
            comparison = session.compare(reference(rung_name, record.spec.name), submission)
            if comparison.fault is not None:
                record.fault = comparison.fault
                break
            record.comparisons[rung_name] = comparison


def _opponents(subject: Subject, record: KernelRecord) -> list[str]:
    """The baseline, for the speedup that is shown, then every other rung a speed rule names."""
    rules = subject.lab.manifest.rubric.speed
    named = [rule.over for rule in rules if rule.kernel == record.spec.name]
    return list(dict.fromkeys([subject.lab.manifest.baseline, *named]))
