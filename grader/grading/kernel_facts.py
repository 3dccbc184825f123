"""The facts about one kernel, stage by stage: every function returns a new value."""

from collections.abc import Sequence
from dataclasses import replace

from grader.engines.cost_traffic import SECTOR_BYTES
from grader.judge.findings import about_speed, is_endless
from grader.labs.manifest import Case
from grader.model.build import BuildOutcome
from grader.model.facts import BuiltFacts, CaseOutcome, KernelFacts, Work
from grader.model.location import SourceLocation
from grader.model.module import BuiltKernel, KernelResources
from grader.model.run import Counters, Fault, RunResult
from grader.model.verdict import Verdict


def after_build(outcome: BuildOutcome, name: str, parts: Sequence[str]) -> KernelFacts:
    """What the build found about ``name``: a kernel, or a program of the kernels ``parts``."""
    kernels = outcome.module.kernels if outcome.module else ()
    built = [kernel for part in parts for kernel in kernels if kernel.name == part]
    problems = (outcome.problems[part] for part in parts if part in outcome.problems)
    return KernelFacts(
        name=name,
        build_fault=next(problems, None) or outcome.fault,
        built=built_facts(built) if built else None,
    )


def built_facts(built: Sequence[BuiltKernel]) -> BuiltFacts:
    """The facts about kernels that are graded as one: the most that any of them needs."""
    first, used = built[0], [kernel.resources for kernel in built]
    limits = [each.max_threads for each in used if each.max_threads]
    return BuiltFacts(
        resources=KernelResources(
            registers=max(each.registers for each in used),
            spill_bytes=max(each.spill_bytes for each in used),
            local_bytes=max(each.local_bytes for each in used),
            shared_bytes=max(each.shared_bytes for each in used),
            max_threads=min(limits, default=0),
        ),
        location=SourceLocation(file=first.file, line=first.line),
        clock_reading=next((each.clock_reading for each in built if each.clock_reading), None),
        device_probe=next((each.device_probe for each in built if each.device_probe), None),
    )


def with_run(kernel: KernelFacts, case: Case, result: RunResult, observed: Case | None) -> KernelFacts:
    """Add the counters, findings and output of a run of ``case``."""
    is_observed = case == observed
    findings = tuple(
        replace(found, case=case.name)
        for found in result.diagnostics
        if is_observed or not about_speed(found)
    )
    printed = {case.name: result.printed} if result.printed and case.name not in kernel.printed else {}
    kernel = replace(kernel, diagnostics=kernel.diagnostics + findings, printed={**kernel.printed, **printed})
    if result.fault is not None or not result.counters:
        return kernel
    return replace(
        kernel,
        counted={**kernel.counted, case.name: work_of(result.counters)},
        observed=result.counters if is_observed else kernel.observed,
    )


def with_outcome(kernel: KernelFacts, outcome: CaseOutcome) -> KernelFacts:
    """Add the verdict of a case."""
    return replace(kernel, cases=(*kernel.cases, outcome))


def with_failure(kernel: KernelFacts, outcome: CaseOutcome) -> KernelFacts:
    """Replace the verdict of a case that seemed right, and discard all times."""
    names = [case.name for case in kernel.cases]
    index = names.index(outcome.name) if outcome.name in names else len(names)
    cases = (*kernel.cases[:index], outcome, *kernel.cases[index + 1 :])
    return replace(kernel, cases=cases, comparisons={})


def stopped(kernel: KernelFacts, fault: Fault) -> KernelFacts:
    """The kernel after ``fault`` ended the grading: one that seemed right so far has not passed every stage."""
    if kernel.fault is None and kernel.all_cases_passed:
        return replace(kernel, limit_fault=fault, comparisons={})
    return kernel


def unfinished_case(kernel: KernelFacts) -> str | None:
    """The first case in which the kernel exceeded its time limit; ``None`` if there is none."""
    endless = {found.case for found in kernel.diagnostics if is_endless(found)}
    unfinished = (
        case.name for case in kernel.cases if case.verdict is Verdict.TIMED_OUT or case.name in endless
    )
    return next(unfinished, None)


def work_of(counters: Sequence[Counters]) -> Work:
    """The work of all kernels of a plan in one run. Raises: ``IndexError`` without counters."""
    return Work(
        threads_per_block=counters[-1].threads_per_block,
        shared_bytes=max(kernel.shared_bytes for kernel in counters),
        moved_bytes=SECTOR_BYTES * sum(kernel.global_sectors for kernel in counters),
        footprint_bytes=sum(kernel.footprint_bytes for kernel in counters),
        float32=sum(kernel.fp32_operations for kernel in counters),
        float64=sum(kernel.fp64_operations for kernel in counters),
        int32=sum(kernel.integer_operations for kernel in counters),
    )
