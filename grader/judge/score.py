"""Score the facts about a submission by its lab's rubric.

This is a pure function: it runs nothing, and everything that depends on points, thresholds, titles or visibility
happens here and nowhere else.
"""

from collections.abc import Mapping, Sequence

from grader.judge.finding_costs import charges
from grader.judge.kernel_report import kernel_report, public_cases, with_flag
from grader.judge.parts import Findings, rubric_parts
from grader.judge.roofline import against_roofline
from grader.judge.structure import structure
from grader.judge.technique_flaws import observed_in_part, technique_flaws, two_faced_kernels
from grader.labs.manifest import Manifest
from grader.model.facts import Facts
from grader.model.reason import Reason, reason
from grader.model.report import EngineInfo, KernelReport, Report, Visibility
from grader.model.run import Comparison, EngineKind
from grader.model.submission import SubmissionIdentity
from grader.model.verdict import Verdict, all_cases_passed, most_severe


def score(facts: Facts, manifest: Manifest, identity: SubmissionIdentity, *, modelled_counts: bool) -> Report:
    """The report that the rubric of ``manifest`` gives for ``facts``.

    ``modelled_counts``: whether modelled speedups earn points; those of programs always do.
    Raises: ``KeyError`` for facts of other cases or kernels than the manifest has.
    """
    two_faced = two_faced_kernels(facts, manifest)
    kernels = [
        with_flag(kernel_report(facts, kernel, manifest), two_faced.get(kernel.name))
        for kernel in facts.kernels
    ]
    findings = Findings(
        kernels=kernels,
        flaws=technique_flaws(facts, manifest),
        observed_in_part=observed_in_part(facts),
        comparisons=_comparisons(facts, manifest, kernels),
        agreement=facts.agreement,
        structure=structure(facts, manifest),
        charges={
            kernel.name: charges(manifest.rubric.findings, kernel.diagnostics, public_cases(manifest))
            for kernel in facts.kernels
        },
        modelled=facts.engine is EngineKind.EMULATOR,
        modelled_counts=modelled_counts or manifest.program is not None,
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
        engine=None if manifest.program is None else EngineInfo(kind=facts.engine, device=facts.device.name),
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
