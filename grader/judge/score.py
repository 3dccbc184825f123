"""Score the facts about a submission by its lab's rubric.

This is a pure function: it runs nothing, and everything that depends on points, thresholds, titles or visibility
happens here and nowhere else.
"""

from collections.abc import Mapping, Sequence

from grader.judge.finding_costs import charges
from grader.judge.kernel_report import kernel_report, launch_of, public_cases
from grader.judge.parts import Findings, rubric_parts
from grader.judge.resources import shared_bytes
from grader.judge.roofline import against_roofline
from grader.judge.technique import Evidence, technique_flaw
from grader.labs.manifest import Manifest, TechniqueRule
from grader.model.facts import Facts, KernelFacts
from grader.model.reason import Reason, reason
from grader.model.report import KernelReport, Report, Visibility
from grader.model.run import Comparison, EngineKind
from grader.model.submission import SubmissionIdentity
from grader.model.verdict import Verdict, all_cases_passed, most_severe


def score(facts: Facts, manifest: Manifest, identity: SubmissionIdentity, *, modelled_counts: bool) -> Report:
    """The report that the rubric of ``manifest`` gives for ``facts``.

    ``modelled_counts``: whether modelled speedups earn points. Raises: ``KeyError`` for facts of other cases or kernels
    than the manifest has.
    """
    kernels = [kernel_report(facts, kernel, manifest) for kernel in facts.kernels]
    findings = Findings(
        kernels=kernels,
        flaws=_flaws(facts, manifest),
        comparisons=_comparisons(facts, manifest, kernels),
        agreement=facts.agreement,
        charges={
            kernel.name: charges(manifest.rubric.findings, kernel.diagnostics, public_cases(manifest))
            for kernel in facts.kernels
        },
        modelled=facts.engine is EngineKind.EMULATOR,
        modelled_counts=modelled_counts,
    )
    parts = rubric_parts(manifest, findings)
    verdict = most_severe([kernel.verdict for kernel in kernels])
    return Report(
        student=identity.student,
        lab=identity.lab,
        file=identity.path,
        language=identity.language,
        verdict=verdict,
        reason=_headline(facts, kernels, verdict),
        score=round(sum(part.score for part in parts), 2),
        max_score=manifest.rubric.max_score,
        parts=parts,
        kernels=tuple(kernels),
        diagnostics=facts.diagnostics,
        isolation=facts.isolation,
        time_used=facts.seconds,
        lab_version=manifest.version,
        hidden_cases=tuple(case.name for case in manifest.cases if case.visibility is Visibility.HIDDEN),
    )


def _headline(facts: Facts, kernels: Sequence[KernelReport], verdict: Verdict) -> Reason:
    """Reason for the submission's verdict: the reason of the kernel that decided it."""
    if facts.build_fault:
        return facts.build_fault.reason
    if verdict is Verdict.ACCEPTED:
        return all_cases_passed(sum(len(kernel.cases) for kernel in kernels))
    decisive = next(kernel for kernel in kernels if kernel.verdict is verdict)
    return reason("in-kernel", kernel=decisive.name, reason=decisive.reason)


def _flaws(facts: Facts, manifest: Manifest) -> dict[TechniqueRule, Reason | None]:
    """Technique flaws of every right kernel that the emulator counted."""
    right = {
        kernel.name: kernel for kernel in facts.kernels if kernel.fault is None and kernel.all_cases_passed
    }
    return {
        rule: technique_flaw(rule, evidence)
        for rule in manifest.rubric.technique
        if rule.kernel in right and (evidence := _evidence(facts, right[rule.kernel], manifest)) is not None
    }


def _evidence(facts: Facts, kernel: KernelFacts, manifest: Manifest) -> Evidence | None:
    if kernel.built is None or not kernel.observed:
        return None
    shared = shared_bytes(kernel.built, launch_of(facts, kernel, manifest))
    return Evidence(shared_bytes=shared, counters=kernel.observed, case=facts.observed_case)


def _comparisons(
    facts: Facts, manifest: Manifest, reports: Sequence[KernelReport]
) -> Mapping[tuple[str, str | None], Comparison]:
    """Comparisons by kernel and rung, including the roofline where it is known."""
    found: dict[tuple[str, str | None], Comparison] = {}
    for kernel, report in zip(facts.kernels, reports, strict=True):
        found |= {(kernel.name, rung): comparison for rung, comparison in kernel.comparisons.items()}
        baseline = kernel.comparisons.get(manifest.baseline)
        if baseline and (ideal := against_roofline(report, baseline)):
            found[kernel.name, None] = ideal
    return found
