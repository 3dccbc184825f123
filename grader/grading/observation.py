"""The observing stage: count on the emulator what a GPU does not report."""

from collections.abc import Sequence
from dataclasses import replace

from grader.grading.cases import draw_inputs
from grader.grading.context import GradingContext
from grader.grading.kernel_facts import with_failure, with_run, work_of
from grader.grading.rungs import RungModules
from grader.grading.session import RunSession
from grader.judge.findings import decisive_race
from grader.judge.roofline import arithmetic_of
from grader.labs.geometry import GeometryError
from grader.model.facts import CaseOutcome, KernelFacts, Work
from grader.model.run import EngineKind
from grader.model.verdict import Verdict


def observe(
    context: GradingContext, emulator: RunSession, kernels: Sequence[KernelFacts]
) -> tuple[KernelFacts, ...]:
    """Run each kernel once on the emulator: memory use of right kernels, errors of wrong ones.

    A race found here makes a kernel wrong even if its outputs on the GPU are right, as when the emulator grades.
    """
    return tuple(_observed(context, emulator, kernel) for kernel in kernels)


def _observed(context: GradingContext, emulator: RunSession, kernel: KernelFacts) -> KernelFacts:
    cases = {case.name: case for case in context.lab.manifest.cases if EngineKind.EMULATOR in case.engines}
    failed = (case.name for case in kernel.cases if not case.verdict.earns_correctness)
    name = context.observed.name if kernel.all_cases_passed and context.observed else next(failed, None)
    if kernel.fault is not None or name not in cases:
        return kernel
    try:
        job = context.job(kernel.name, draw_inputs(context.lab, cases[name], context.seed))
    except GeometryError:
        return kernel  # the case's verdict states the error; no launch to observe
    result = emulator.run(job)
    kernel = with_run(kernel, cases[name], result, context.observed)
    if kernel.all_cases_passed and (race := decisive_race(result.diagnostics)):
        return with_failure(kernel, CaseOutcome(name=name, verdict=Verdict.WRONG, reason=race))
    return kernel


def observe_rungs(
    context: GradingContext, emulator: RunSession, rungs: RungModules, kernels: Sequence[KernelFacts]
) -> tuple[KernelFacts, ...]:
    """Count the work of each rung that a computing kernel was timed against, once per rung."""
    return tuple(_with_rungs(context, emulator, rungs, kernel) for kernel in kernels)


def _with_rungs(
    context: GradingContext, emulator: RunSession, rungs: RungModules, kernel: KernelFacts
) -> KernelFacts:
    if context.observed is None or not kernel.observed:
        return kernel
    own = kernel.counted[context.observed.name]
    spec = context.lab.manifest.spec(kernel.name)
    if not own.operations(arithmetic_of(spec, own)):
        return kernel
    counted: dict[str, Work] = {}
    for rung in kernel.comparisons:
        if (work := _rung_work(context, emulator, rungs, rung, kernel.name)) is not None:
            counted[rung] = work
    return replace(kernel, rungs_counted=counted)


def _rung_work(
    context: GradingContext, emulator: RunSession, rungs: RungModules, rung: str, kernel: str
) -> Work | None:
    """The work of a rung on the observed case; ``None`` if it does not finish."""
    key = (context.lab.name, rung, kernel, context.language)
    if key not in rungs.counted and context.observed is not None:
        inputs = draw_inputs(context.lab, context.observed, context.seed)
        result = emulator.run(rungs.job(context.lab, rung, context.language, kernel, inputs), own=True)
        if result.fault is not None or not result.counters:
            return None
        rungs.counted[key] = work_of(result.counters)
    return rungs.counted.get(key)
