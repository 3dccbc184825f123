"""Grade one submission into one report."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from grader.grading.cases import EVERY_CASE, CaseChoice
from grader.grading.checks import Agreement, observe, run_checks, time_kernels
from grader.grading.context import GradingContext, KernelRecord
from grader.grading.efficiency import against_roofline, observe_rungs
from grader.grading.kernel_report import built_kernel, kernel_report, shared_bytes
from grader.grading.rungs import RungModules, build_request
from grader.grading.schedule_independence import check_schedule_independence
from grader.judge.score import Findings, score
from grader.judge.technique import Evidence, technique_flaw
from grader.labs.lab import Lab
from grader.labs.manifest import TechniqueRule, largest_public
from grader.model.build import BuildOutcome
from grader.model.reason import Reason, reason
from grader.model.report import KernelReport, Report
from grader.model.run import Comparison, Fault
from grader.model.submission import Submission
from grader.model.verdict import Verdict, all_cases_passed, most_severe
from grader.worker.messages import WorkerRole


def grade(
    lab: Lab,
    submission: Submission,
    rungs: RungModules,
    seed: int,
    choice: CaseChoice = EVERY_CASE,
) -> Report:
    """Build, run, judge and score ``submission`` in the environment of ``rungs``.

    ``seed`` determines the inputs. A student's local check must choose public cases only.
    Raises: ``InfrastructureError``, ``UserError``: there is no result.
    """
    environment = rungs.environment.within(lab.manifest.limits)
    kernels = {request.spec.name: KernelRecord(spec=request.spec) for request in lab.manifest.kernels}
    agreement = Agreement(complete=False, disagreement=None)
    # The emulator judges technique and counts lines, whichever engine grades.
    observed = largest_public(case for case in lab.manifest.cases if choice.takes(case))
    context: GradingContext | None = None
    environment.emulating().prepare(WorkerRole.RUN)
    outcome = environment.build(build_request(lab, submission, environment.device.arch))
    for name, record in kernels.items():
        record.fault = outcome.problems.get(name) or outcome.fault
    if outcome.module is not None:
        context = GradingContext(
            lab=lab,
            language=submission.language,
            module=outcome.module,
            cases=choice.of(lab, environment.engine_support.cases),
            observed=observed,
            seed=seed,
            kernels=kernels,
        )
        context.prepare_timing_case()  # before the device is locked
        with environment.session() as session:
            agreement = run_checks(context, session)
            if environment.engine_support.counts:
                check_schedule_independence(context, session)
            time_kernels(context, session, rungs)
            if environment.engine_support.counts:
                observe_rungs(context, session, rungs)
        if not environment.engine_support.counts:
            with environment.emulating().session() as emulator:
                observe(context, emulator)
                check_schedule_independence(context, emulator)
                observe_rungs(context, emulator, rungs)
    kernel_reports = [
        kernel_report(lab, record, outcome, context, environment.device) for record in kernels.values()
    ]
    findings = Findings(
        kernels=kernel_reports,
        flaws=_flaws(lab, list(kernels.values()), outcome),
        comparisons=_comparisons(lab, kernels, kernel_reports),
        disagreement=agreement.disagreement,
        agreed=agreement.complete,
        modelled_counts=environment.modelled_counts,
    )
    return replace(
        _report(lab, submission, kernel_reports, findings, outcome), isolation=environment.isolation
    )


def _comparisons(
    lab: Lab, kernels: Mapping[str, KernelRecord], reports: Sequence[KernelReport]
) -> dict[tuple[str, str | None], Comparison]:
    """Comparisons by kernel and rung, including the roofline where it is known."""
    found: dict[tuple[str, str | None], Comparison] = {}
    for report in reports:
        comparisons = kernels[report.name].comparisons
        found |= {(report.name, rung): comparison for rung, comparison in comparisons.items()}
        baseline = comparisons.get(lab.manifest.baseline)
        if baseline and (ideal := against_roofline(report, baseline)):
            found[report.name, None] = ideal
    return found


def not_graded(submission: Submission, fault: Fault, max_score: float) -> Report:
    """Report of a submission that could not be graded, for any cause."""
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


def _report(
    lab: Lab,
    submission: Submission,
    kernels: Sequence[KernelReport],
    findings: Findings,
    outcome: BuildOutcome,
) -> Report:
    parts = score(lab.manifest, findings)
    verdict = most_severe([kernel.verdict for kernel in kernels])
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


def _headline(kernels: Sequence[KernelReport], verdict: Verdict, outcome: BuildOutcome) -> Reason:
    """Reason for the submission's verdict: the reason of the kernel that decided it."""
    if outcome.fault:
        return outcome.fault.reason
    if verdict is Verdict.ACCEPTED:
        return all_cases_passed(sum(len(kernel.cases) for kernel in kernels))
    return next(
        reason("in-kernel", kernel=kernel.name, reason=kernel.reason)
        for kernel in kernels
        if kernel.verdict is verdict
    )


def _flaws(
    lab: Lab, records: Sequence[KernelRecord], outcome: BuildOutcome
) -> dict[TechniqueRule, str | None]:
    """Technique flaws of every right kernel that the emulator counted."""
    right = {
        record.spec.name: record for record in records if record.fault is None and record.all_cases_passed
    }
    flaws = {}
    for rule in lab.manifest.rubric.technique:
        built = built_kernel(outcome, rule.kernel)
        record = right.get(rule.kernel)
        if built and record and record.observed:
            evidence = Evidence(shared_bytes=shared_bytes(built, record), counters=record.observed)
            flaws[rule] = technique_flaw(rule.check, evidence)
    return flaws
