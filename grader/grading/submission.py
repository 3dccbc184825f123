"""One submission to one report."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from grader.build.occupancy import lift, occupancy
from grader.grading.cases import largest_public
from grader.grading.checks import Agreement, observe, run_checks
from grader.grading.diagnostics import merged
from grader.grading.efficiency import against_roofline, latency_hiding, observe_rungs, roofline
from grader.grading.order import check_order
from grader.grading.profile import total_lines, total_sites
from grader.grading.rungs import RungModules, build_request
from grader.grading.subject import KernelRecord, Subject, plan_of
from grader.grading.timing import time_kernels
from grader.judge.bracket import overlong
from grader.judge.floor import below_floor
from grader.judge.score import Findings, score
from grader.judge.speed import samples, seconds, speedup
from grader.judge.technique import Evidence, technique_flaw
from grader.labs.lab import Lab
from grader.labs.manifest import Case, TechniqueRule
from grader.model.build import BuildOutcome
from grader.model.device import Device
from grader.model.module import BuiltKernel
from grader.model.report import KernelReport, Report, Resources, Visibility
from grader.model.run import Comparison, EngineKind, Fault
from grader.model.submission import Submission
from grader.model.verdict import Verdict, gravest
from grader.worker.messages import WorkerRole


def grade(
    lab: Lab, submission: Submission, rungs: RungModules, seed: int, *, public_only: bool = False
) -> Report:
    """Build, run, judge and score ``submission`` on the bench of ``rungs``.

    ``seed`` decides the inputs. ``public_only`` leaves the hidden cases out, as a student's own check must.
    Raises: ``InfrastructureError``, ``UserError``: then nothing is known of the submission.
    """
    bench = rungs.bench.within(lab.manifest.limits)
    kernels = {request.spec.name: KernelRecord(spec=request.spec) for request in lab.manifest.kernels}
    agreement = Agreement(complete=False, disagreement=None)
    # Technique is judged and lines are counted on the emulator, whatever engine grades.
    observed = largest_public(lab.manifest.cases)
    subject: Subject | None = None
    bench.emulating().prepare(WorkerRole.RUN)
    outcome = bench.build(build_request(lab, submission, bench.device.arch))
    for name, record in kernels.items():
        record.fault = outcome.fault or outcome.problems.get(name)
    if outcome.module is not None:
        subject = Subject(
            lab=lab,
            language=submission.language,
            module=outcome.module,
            cases=_cases(lab, bench.engine, public_only=public_only),
            observed=observed,
            seed=seed,
            kernels=kernels,
        )
        with bench.session() as session:
            agreement = run_checks(subject, session)
            if bench.engine is EngineKind.EMULATOR:
                check_order(subject, session)
            time_kernels(subject, session, rungs)
            if bench.engine is EngineKind.EMULATOR:
                observe_rungs(subject, session, rungs)
        if bench.engine is EngineKind.CUDA:
            with bench.emulating().session() as emulator:
                observe(subject, emulator)
                check_order(subject, emulator)
                observe_rungs(subject, emulator, rungs)
    kernel_reports = [
        _doubted(
            _explained(_kernel_report(lab, record, outcome, bench.device), record, subject, bench.device),
            record,
            subject,
            bench.device,
        )
        for record in kernels.values()
    ]
    findings = Findings(
        kernels=kernel_reports,
        flaws=_flaws(lab, list(kernels.values()), outcome, observed),
        comparisons=_comparisons(lab, kernels, kernel_reports),
        disagreement=agreement.disagreement,
        agreed=agreement.complete,
        modelled_counts=bench.modelled_counts,
    )
    return replace(_report(lab, submission, kernel_reports, findings, outcome), isolation=bench.isolation)


def _comparisons(
    lab: Lab, kernels: Mapping[str, KernelRecord], reports: Sequence[KernelReport]
) -> dict[tuple[str, str | None], Comparison]:
    """By kernel and rung, and with the roofline where it is known."""
    found: dict[tuple[str, str | None], Comparison] = {}
    for report in reports:
        comparisons = kernels[report.name].comparisons
        found |= {(report.name, rung): comparison for rung, comparison in comparisons.items()}
        baseline = comparisons.get(lab.manifest.baseline)
        if baseline and (ideal := against_roofline(report, baseline)):
            found[report.name, None] = ideal
    return found


def not_graded(submission: Submission, fault: Fault, max_score: float) -> Report:
    """The report of a submission that could not be graded at all, by the student's doing or by ours."""
    return Report(
        student=submission.student,
        lab=submission.lab,
        file=submission.path,
        language=submission.language,
        verdict=fault.verdict,
        reason=fault.reason,
        score=0.0,
        max_score=max_score,
        parts=(),
        kernels=(),
    )


def _cases(lab: Lab, engine: EngineKind, *, public_only: bool) -> tuple[Case, ...]:
    """Those the engine can carry, public ones first: what a student may see is said in their terms."""
    cases = [case for case in lab.manifest.cases if engine in case.engines]
    public = [case for case in cases if case.visibility is Visibility.PUBLIC]
    hidden = [] if public_only else [case for case in cases if case.visibility is Visibility.HIDDEN]
    return (*public, *hidden)


def _report(
    lab: Lab,
    submission: Submission,
    kernels: Sequence[KernelReport],
    findings: Findings,
    outcome: BuildOutcome,
) -> Report:
    parts = score(lab.manifest, findings)
    verdict = gravest([kernel.verdict for kernel in kernels])
    return Report(
        student=submission.student,
        lab=lab.name,
        file=submission.path,
        language=submission.language,
        verdict=verdict,
        reason=_headline(kernels, verdict, outcome),
        score=round(sum(part.score for part in parts), 2),
        max_score=lab.manifest.rubric.max_score,
        parts=parts,
        kernels=tuple(kernels),
        diagnostics=outcome.diagnostics,
        lab_version=lab.manifest.version,
    )


def _headline(kernels: Sequence[KernelReport], verdict: Verdict, outcome: BuildOutcome) -> str:
    """Why the submission got its verdict, in the words of what decided it."""
    if outcome.fault:
        return outcome.fault.reason
    if verdict is Verdict.ACCEPTED:
        return f"right in all {sum(len(kernel.cases) for kernel in kernels)} cases"
    return next(f"{kernel.name}: {kernel.reason}" for kernel in kernels if kernel.verdict is verdict)


def _kernel_report(lab: Lab, record: KernelRecord, outcome: BuildOutcome, device: Device) -> KernelReport:
    verdict = record.fault.verdict if record.fault else gravest([case.verdict for case in record.cases])
    comparison = record.comparisons.get(lab.manifest.baseline)
    built = _built(outcome, record.spec.name)
    return KernelReport(
        name=record.spec.name,
        verdict=verdict,
        reason=_reason(record, verdict),
        cases=tuple(record.cases),
        speedup=speedup(comparison, lab.manifest.baseline) if comparison else None,
        seconds=seconds(comparison) if comparison else None,
        resources=launched_resources(built, record, device) if built else None,
        diagnostics=merged(record.diagnostics),
        lines=total_lines(record.observed),
        sites=total_sites(record.observed),
        printed=record.printed,
        timings=tuple(samples(c, rung) for rung, c in record.comparisons.items() if c.pairs),
    )


def _explained(
    report: KernelReport, record: KernelRecord, subject: Subject | None, device: Device
) -> KernelReport:
    """With the arithmetic that says how near the kernel is to what the device can do."""
    if subject is None or not record.observed or report.resources is None:
        return report
    return replace(
        report,
        roofline=roofline(subject, record, device, report.seconds),
        latency=latency_hiding(record, device, report.resources.active_warps),
    )


def _doubted(
    report: KernelReport, record: KernelRecord, subject: Subject | None, device: Device
) -> KernelReport:
    """Held for a person where its times cannot be."""
    if subject is None or report.verdict is not Verdict.ACCEPTED:
        return report
    doubt = next(filter(None, _doubts(record, subject, device)), "")
    if not doubt:
        return report
    return replace(report, verdict=Verdict.SUSPICIOUS, reason=doubt, suspicion=doubt)


def _doubts(record: KernelRecord, subject: Subject, device: Device) -> Iterator[str]:
    yield from map(overlong, record.comparisons.values())
    comparison = record.comparisons.get(subject.lab.manifest.baseline)
    if comparison and subject.timing_case and subject.lab.manifest.reads_all_inputs:
        plan = plan_of(subject.lab, subject.module, record.spec, subject.timing_case)
        yield below_floor(comparison, plan, device)


def _reason(record: KernelRecord, verdict: Verdict) -> str:
    if record.fault:
        return record.fault.reason
    if verdict is Verdict.ACCEPTED:
        return f"right in all {len(record.cases)} cases"
    worst = next(case for case in record.cases if case.verdict is verdict)
    return f"case {worst.name}: {worst.reason}"


def launched_resources(built: BuiltKernel, record: KernelRecord, device: Device) -> Resources:
    """What ``built`` needs, and how much of the device it fills with the threads it was last counted with."""
    launched = [counters for case in record.counters.values() for counters in case]
    threads = launched[-1].threads_per_block if launched else built.resources.max_threads
    shared = _shared_bytes(built, record)
    fit = occupancy(device, threads, built.resources.registers, shared)
    return Resources(
        registers=built.resources.registers,
        spill_bytes=built.resources.spill_bytes,
        shared_bytes=shared,
        occupancy=fit.fraction,
        limiter=fit.limiter,
        active_blocks=fit.active_blocks,
        active_warps=fit.active_warps,
        lift=lift(device, threads, built.resources.registers, shared),
    )


def _shared_bytes(built: BuiltKernel, record: KernelRecord) -> int:
    """Per block: what is declared, or what was launched with, whichever is more."""
    launched = (counters for case in record.counters.values() for counters in case)
    return max([built.resources.shared_bytes, *(counters.shared_bytes for counters in launched)])


def _flaws(
    lab: Lab, records: Sequence[KernelRecord], outcome: BuildOutcome, observed: Case | None
) -> dict[TechniqueRule, str | None]:
    """What is wrong with the technique of every kernel that is right."""
    right = {record.spec.name: record for record in records if record.fault is None and record.all_right}
    flaws = {}
    for rule in lab.manifest.rubric.technique:
        built = _built(outcome, rule.kernel)
        record = right.get(rule.kernel)
        if built and record and observed and observed.name in record.counters:
            evidence = Evidence(
                shared_bytes=_shared_bytes(built, record), counters=record.counters[observed.name]
            )
            flaws[rule] = technique_flaw(rule.check, evidence)
    return flaws


def _built(outcome: BuildOutcome, name: str) -> BuiltKernel | None:
    kernels = outcome.module.kernels if outcome.module else ()
    return next((kernel for kernel in kernels if kernel.name == name), None)
