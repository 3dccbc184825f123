"""The timing stage: time the kernels that pass all cases against the rungs that they are compared with."""

from collections.abc import Sequence
from dataclasses import replace

from grader.engines.cost_model import footprint_bytes
from grader.grading.cases import PreparedCase
from grader.grading.context import GradingContext, plan_of
from grader.grading.rungs import RungModules
from grader.grading.session import RunSession
from grader.grading.timed_samples import sample_judge
from grader.judge.plausibility import input_bytes
from grader.judge.timed_outputs import output_checks
from grader.labs.geometry import GeometryError
from grader.labs.manifest import Manifest
from grader.model.facts import KernelFacts, TimedBytes
from grader.model.run import TimedComparison


def time_kernels(
    context: GradingContext, session: RunSession, rungs: RungModules, kernels: Sequence[KernelFacts]
) -> tuple[KernelFacts, ...]:
    """Time the kernels that passed all cases, on the timing case."""
    timing = context.timing_case
    if timing is None or not any(kernel.all_cases_passed for kernel in kernels):
        return tuple(kernels)
    prepared = context.prepared(timing)
    return tuple(
        _timed(context, session, rungs, kernel, prepared) if kernel.all_cases_passed else kernel
        for kernel in kernels
    )


def _timed(
    context: GradingContext,
    session: RunSession,
    rungs: RungModules,
    kernel: KernelFacts,
    prepared: PreparedCase,
) -> KernelFacts:
    """Time one kernel; a failure in one comparison makes all of them untrustworthy."""
    manifest = context.lab.manifest
    submission = context.job(kernel.name, prepared.inputs)
    comparisons: dict[str, TimedComparison] = {}
    for rung in compared_rungs(manifest, kernel.name):
        reference = rungs.job(context.lab, rung, context.language, kernel.name, prepared.inputs)
        checks = output_checks(submission.plan, reference.plan, prepared.expected, manifest.tolerance.factor)
        targets = manifest.rubric.targets(kernel.name, rung)
        judge = sample_judge(context, submission, prepared.inputs, prepared.expected)
        comparison = session.compare(reference, submission, checks, targets, judge)
        if comparison.fault is not None:
            return replace(kernel, timing_fault=comparison.fault, comparisons={})
        comparisons[rung] = comparison
    return replace(kernel, comparisons=comparisons)


def compared_rungs(manifest: Manifest, kernel: str) -> list[str]:
    """Rungs to time against: the baseline (for the reported speedup and the roofline), then those of speed rules."""
    named = [rule.over for rule in manifest.rubric.speed if rule.kernel == kernel and rule.over is not None]
    return list(dict.fromkeys([manifest.baseline, *named]))


def with_timed_bytes(context: GradingContext, kernel: KernelFacts) -> KernelFacts:
    """Add the bytes of the timing case's buffers, if the kernel can be launched on it."""
    if context.timing_case is None or kernel.built is None:
        return kernel
    spec = context.lab.manifest.spec(kernel.name)
    try:
        plan = plan_of(context.lab, context.module, spec, context.timing_case)
    except GeometryError:
        return kernel
    launched = {launch.kernel for launch in plan.launches}
    touched = sum(footprint_bytes(plan, name) for name in launched)
    return replace(kernel, timed_bytes=TimedBytes(read=input_bytes(plan), touched=touched))
