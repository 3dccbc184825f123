"""Build the report of one kernel from its record."""

from collections.abc import Iterator
from dataclasses import replace

from grader.compile.occupancy import occupancy, occupancy_advice
from grader.grading.context import GradingContext, KernelRecord, plan_of
from grader.grading.diagnostics import merged
from grader.grading.efficiency import latency_hiding, roofline
from grader.grading.profile import total_lines, total_sites
from grader.judge.plausibility import clock_warning, exceeds_wall_clock, faster_than_memory, reads_a_clock
from grader.judge.speed import samples, seconds, speedup
from grader.labs.lab import Lab
from grader.model.build import BuildOutcome
from grader.model.device import Device
from grader.model.module import BuiltKernel
from grader.model.reason import Reason, as_written, reason
from grader.model.report import KernelReport, Resources
from grader.model.verdict import Verdict, all_cases_passed, most_severe


def kernel_report(
    lab: Lab, record: KernelRecord, outcome: BuildOutcome, context: GradingContext | None, device: Device
) -> KernelReport:
    """Report of one kernel. ``context`` is ``None`` if nothing was built."""
    plain = _plain(lab, record, outcome, device)
    return _flagged(_explained(plain, record, context, device), record, context, device)


def _plain(lab: Lab, record: KernelRecord, outcome: BuildOutcome, device: Device) -> KernelReport:
    verdict = record.fault.verdict if record.fault else most_severe([case.verdict for case in record.cases])
    comparison = record.comparisons.get(lab.manifest.baseline)
    built = built_kernel(outcome, record.spec.name)
    return KernelReport(
        name=record.spec.name,
        verdict=verdict,
        reason=_reason(record, verdict),
        cases=tuple(record.cases),
        speedup=speedup(comparison, lab.manifest.baseline) if comparison else None,
        seconds=seconds(comparison) if comparison else None,
        resources=launched_resources(built, record, device) if built else None,
        diagnostics=merged([*record.diagnostics, *(clock_warning(built) if built else ())]),
        lines=total_lines(record.observed),
        sites=total_sites(record.observed),
        printed=record.printed,
        timings=tuple(samples(c, rung) for rung, c in record.comparisons.items() if c.pairs),
    )


def _explained(
    report: KernelReport, record: KernelRecord, context: GradingContext | None, device: Device
) -> KernelReport:
    """Add the roofline and latency hiding: how close the kernel comes to the limits of the device."""
    if context is None or not record.observed or report.resources is None:
        return report
    return replace(
        report,
        roofline=roofline(context, record, device, report.seconds),
        latency=latency_hiding(record, device, report.resources.active_warps),
    )


def _flagged(
    report: KernelReport, record: KernelRecord, context: GradingContext | None, device: Device
) -> KernelReport:
    """Mark the report suspicious if a measured time is not plausible or the kernel can detect that it is timed."""
    if context is None or report.verdict is not Verdict.ACCEPTED:
        return report
    flag_reason = next(filter(None, _flag_reasons(record, context, device)), "")
    if not flag_reason:
        return report
    return replace(
        report, verdict=Verdict.SUSPICIOUS, reason=as_written(flag_reason), suspicion=as_written(flag_reason)
    )


def _flag_reasons(record: KernelRecord, context: GradingContext, device: Device) -> Iterator[str]:
    yield from map(exceeds_wall_clock, record.comparisons.values())
    comparison = record.comparisons.get(context.lab.manifest.baseline)
    if comparison and context.timing_case and context.lab.manifest.reads_all_inputs:
        plan = plan_of(context.lab, context.module, record.spec, context.timing_case)
        yield faster_than_memory(comparison, plan, device)
    built = context.module.kernel(record.spec.name)
    yield from (reads_a_clock(each, built) for each in record.comparisons.values())


def _reason(record: KernelRecord, verdict: Verdict) -> Reason:
    if record.fault:
        return record.fault.reason
    if verdict is Verdict.ACCEPTED:
        return all_cases_passed(len(record.cases))
    worst = next(case for case in record.cases if case.verdict is verdict)
    return reason("in-case", case=worst.name, reason=worst.reason)


def launched_resources(built: BuiltKernel, record: KernelRecord, device: Device) -> Resources:
    """Resources of ``built`` and the occupancy they allow, for the block size of the last counted launch."""
    launched = [counters for case in record.counters.values() for counters in case]
    threads = launched[-1].threads_per_block if launched else built.resources.max_threads
    shared = shared_bytes(built, record)
    fit = occupancy(device, threads, built.resources.registers, shared)
    return Resources(
        registers=built.resources.registers,
        spill_bytes=built.resources.spill_bytes,
        shared_bytes=shared,
        occupancy=fit.fraction,
        limiter=fit.limiter,
        active_blocks=fit.active_blocks,
        active_warps=fit.active_warps,
        lift=occupancy_advice(device, threads, built.resources.registers, shared),
    )


def shared_bytes(built: BuiltKernel, record: KernelRecord) -> int:
    """Shared memory per block in bytes: the larger of the declared and the launched size."""
    launched = (counters for case in record.counters.values() for counters in case)
    return max([built.resources.shared_bytes, *(counters.shared_bytes for counters in launched)])


def built_kernel(outcome: BuildOutcome, name: str) -> BuiltKernel | None:
    """The kernel ``name`` of the built module; ``None`` if it was not built."""
    kernels = outcome.module.kernels if outcome.module else ()
    return next((kernel for kernel in kernels if kernel.name == name), None)
