"""Score one kernel's facts: its report, without points."""

from collections.abc import Sequence
from dataclasses import replace

from grader.judge.finding_costs import charges
from grader.judge.findings import as_reason, merged, most_severe_finding
from grader.judge.line_totals import total_lines, total_sites
from grader.judge.plausibility import flags, timing_warnings
from grader.judge.resources import resources
from grader.judge.roofline import latency_hiding, roofline, timing_visibility
from grader.judge.speed import samples, seconds, speedup
from grader.labs.manifest import Case, Manifest
from grader.model.facts import CaseOutcome, Facts, KernelFacts, Work
from grader.model.reason import Reason, reason
from grader.model.report import CaseReport, KernelReport, ProgramReport, Visibility
from grader.model.verdict import Verdict, all_cases_passed, most_severe


def kernel_report(facts: Facts, kernel: KernelFacts, manifest: Manifest) -> KernelReport:
    """Report of one kernel of ``facts``."""
    return _flagged(_plain(facts, kernel, manifest), facts, kernel, manifest)


def _plain(facts: Facts, kernel: KernelFacts, manifest: Manifest) -> KernelReport:
    cases = tuple(_case(outcome, manifest.case(outcome.name)) for outcome in _public_first(kernel, manifest))
    verdict = kernel.fault.verdict if kernel.fault else most_severe([case.verdict for case in cases])
    broken_rule = _broken_rule(kernel, manifest) if verdict is Verdict.ACCEPTED else None
    comparison = kernel.comparisons.get(manifest.baseline)
    measured = seconds(comparison) if comparison else None
    used = resources(kernel.built, launch_of(facts, kernel, manifest), facts.device) if kernel.built else None
    return KernelReport(
        name=kernel.name,
        verdict=Verdict.WRONG if broken_rule else verdict,
        reason=broken_rule or _reason(facts, kernel, cases, verdict),
        cases=cases,
        speedup=speedup(comparison, manifest.baseline) if comparison else None,
        seconds=measured,
        resources=used,
        diagnostics=merged([*kernel.diagnostics, *timing_warnings(kernel)], public_cases(manifest)),
        lines=total_lines(kernel.observed),
        sites=total_sites(kernel.observed),
        printed=_printed(kernel, manifest),
        timings=tuple(samples(each, rung) for rung, each in kernel.comparisons.items() if each.pairs),
        timing_visibility=timing_visibility(facts, manifest),
        roofline=roofline(facts, kernel, manifest, measured),
        latency=latency_hiding(kernel.observed, facts.device, used.active_warps) if used else None,
        program=_program(facts, kernel, manifest),
    )


def _program(facts: Facts, kernel: KernelFacts, manifest: Manifest) -> ProgramReport | None:
    """What a program did on the observed case, if that is public."""
    found, case = kernel.program, facts.observed_case
    if found is None or case not in found.traces or case not in public_cases(manifest):
        return None
    return ProgramReport(
        device=found.device,
        trace=found.traces[case],
        activities=found.activities,
        activity_count=found.activity_count,
    )


def _broken_rule(kernel: KernelFacts, manifest: Manifest) -> Reason | None:
    """The finding because of which the rubric does not accept the kernel; ``None`` without one."""
    found = charges(manifest.rubric.findings, kernel.diagnostics, public_cases(manifest))
    return next((charge.reason for charge in found if not charge.rule.accepted), None)


def _flagged(report: KernelReport, facts: Facts, kernel: KernelFacts, manifest: Manifest) -> KernelReport:
    """Mark the report suspicious if a measured time is not plausible or the kernel can detect that it is timed."""
    found = flags(
        kernel,
        manifest.baseline,
        facts.device,
        reads_all_inputs=manifest.reads_all_inputs,
        public=public_cases(manifest),
    )
    return with_flag(report, next(found, None))


def with_flag(report: KernelReport, flag: Reason | None) -> KernelReport:
    """The report of an accepted kernel, marked suspicious if there is a reason to ``flag`` it."""
    if flag is None or report.verdict is not Verdict.ACCEPTED:
        return report
    return replace(report, verdict=Verdict.SUSPICIOUS, reason=flag, suspicion=flag)


def public_cases(manifest: Manifest) -> frozenset[str]:
    """The names of the public cases."""
    return frozenset(case.name for case in manifest.cases if case.visibility is Visibility.PUBLIC)


def _public_first(kernel: KernelFacts, manifest: Manifest) -> list[CaseOutcome]:
    """Public cases first, so that reasons refer to cases that the student may see."""
    public = public_cases(manifest)
    return sorted(kernel.cases, key=lambda outcome: outcome.name not in public)


def _case(outcome: CaseOutcome, case: Case) -> CaseReport:
    is_public = case.visibility is Visibility.PUBLIC
    return CaseReport(
        name=outcome.name,
        visibility=case.visibility,
        verdict=outcome.verdict,
        reason=outcome.reason,
        wrong_map=outcome.wrong_map if is_public else None,
    )


def _reason(facts: Facts, kernel: KernelFacts, cases: Sequence[CaseReport], verdict: Verdict) -> Reason:
    if kernel.build_fault:
        return kernel.build_fault.reason
    if kernel.limit_fault:
        return kernel.limit_fault.reason
    if kernel.timing_fault:
        return reason("in-case", case=facts.timing_case, reason=kernel.timing_fault.reason)
    if verdict is Verdict.ACCEPTED:
        return all_cases_passed(len(cases))
    return _failure(kernel, next(case for case in cases if case.verdict is verdict))


def _failure(kernel: KernelFacts, worst: CaseReport) -> Reason:
    """Why ``worst`` failed: the most severe finding leads, and a wrong output follows it as its symptom."""
    symptom = reason("in-case", case=worst.name, reason=worst.reason)
    cause = most_severe_finding(kernel.diagnostics, worst.name)
    if cause is None:
        return symptom
    if worst.verdict is Verdict.WRONG and worst.reason.location is None:
        return reason("cause-and-symptom", cause=as_reason(cause), symptom=symptom)
    return reason("in-case", case=worst.name, reason=as_reason(cause))


def launch_of(facts: Facts, kernel: KernelFacts, manifest: Manifest) -> Work | None:
    """The launch that shows the kernel's block size: of the observed case, or else of any public case.

    A launch of a hidden case may reveal its sizes.
    """
    names = [facts.observed_case, *(case.name for case in manifest.cases)]
    public = public_cases(manifest)
    return next((kernel.counted[name] for name in names if name in public and name in kernel.counted), None)


def _printed(kernel: KernelFacts, manifest: Manifest) -> str:
    """The output of the first public case in which the kernel printed."""
    public = public_cases(manifest)
    return next((text for case, text in kernel.printed.items() if case in public), "")
