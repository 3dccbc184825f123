"""The lines of the rubric: each gets points and the reason for them."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from grader.judge.finding_costs import Charge
from grader.judge.speed_points import part_title, speed_part
from grader.judge.structure import Judged
from grader.labs.manifest import Manifest, SpeedRule, TechniqueCheck, TechniqueRule
from grader.labs.program import StructureCheck, StructureRule
from grader.messages import ENGLISH
from grader.model.facts import Agreement
from grader.model.reason import Reason, reason
from grader.model.report import KernelReport, Part, Withheld
from grader.model.run import Comparison

_AGREEMENT = reason("part-agreement")

_TECHNIQUE_CODES = {
    TechniqueCheck.USES_SHARED: "part-uses-shared-memory",
    TechniqueCheck.NO_SHARED: "part-uses-no-shared-memory",
    TechniqueCheck.NO_BANK_CONFLICTS: "part-has-no-bank-conflicts",
    TechniqueCheck.COALESCED: "part-is-coalesced",
}

_STRUCTURE_CODES = {
    StructureCheck.PINNED: "part-pinned",
    StructureCheck.COPIED_ONCE: "part-copied-once",
    StructureCheck.OVERLAP: "part-overlap",
    StructureCheck.SYNCHRONISATIONS: "part-synchronisations",
    StructureCheck.NO_LEAK: "part-no-leak",
    StructureCheck.ERRORS_CHECKED: "part-errors-checked",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """Everything about one submission that the rubric's lines need.

    ``flaws``: why a technique rule is not met, ``None`` where it is met. A missing rule was not judged, because the
    kernel is wrong or the emulator could not count its accesses. ``observed_in_part``: kernels of which no blocks of
    the timing case were observed.
    ``comparisons``: by kernel and rung, or ``None`` for the device's roofline. ``structure``: the rules about a right
    program. ``charges``: what findings cost, by kernel. ``modelled``: whether times come from the emulator's model;
    ``modelled_counts``: whether such speedups earn points.
    """

    kernels: Sequence[KernelReport]
    flaws: Mapping[TechniqueRule, Reason | None] = field(default_factory=dict)
    observed_in_part: Collection[str] = ()
    comparisons: Mapping[tuple[str, str | None], Comparison] = field(default_factory=dict)
    agreement: Agreement = field(default_factory=Agreement)
    structure: Mapping[StructureRule, Judged] = field(default_factory=dict)
    charges: Mapping[str, Sequence[Charge]] = field(default_factory=dict)
    modelled: bool = False
    modelled_counts: bool = False


def rubric_parts(manifest: Manifest, findings: Findings) -> tuple[Part, ...]:
    """Every line of the rubric, in the manifest's order."""
    rubric = manifest.rubric
    names = [kernel.name for kernel in findings.kernels]
    parts = [
        _correctness(rubric.correctness_of(kernel.name, names), kernel, findings.charges.get(kernel.name, ()))
        for kernel in findings.kernels
    ]
    if rubric.agreement:
        parts.append(_agreement(rubric.agreement, findings))
    parts += [_technique(rule, manifest.owners(rule.kernel)[0], findings) for rule in rubric.technique]
    parts += [_structure(rule, findings.structure.get(rule)) for rule in rubric.structure]
    parts += [_speed(rule, manifest.baseline, findings) for rule in rubric.speed]
    return tuple(parts)


def part_names(manifest: Manifest) -> dict[str, frozenset[str]]:
    """Names of the rubric's parts by group: correctness, agreement, technique, structure or speed."""
    rubric = manifest.rubric
    titles = {
        "correctness": list(map(_correctness_title, manifest.graded)),
        "agreement": [_AGREEMENT],
        "technique": list(map(_technique_title, rubric.technique)),
        "structure": list(map(_structure_title, rubric.structure)),
        "speed": [part_title(rule, manifest.baseline) for rule in rubric.speed],
    }
    return {group: frozenset(map(ENGLISH, found)) for group, found in titles.items()}


def _correctness_title(kernel: str) -> Reason:
    return reason("part-correctness", kernel=kernel)


def _technique_title(rule: TechniqueRule) -> Reason:
    return reason(_TECHNIQUE_CODES[rule.check], kernel=rule.kernel)


def _structure_title(rule: StructureRule) -> Reason:
    return reason(_STRUCTURE_CODES[rule.check])


def _part(title: Reason, score: float, max_score: float, why: Reason) -> Part:
    return Part(name=ENGLISH(title), title=title, score=score, max_score=max_score, reason=why)


def _correctness(points: float, kernel: KernelReport, charges: Sequence[Charge]) -> Part:
    right = sum(case.verdict.earns_correctness for case in kernel.cases)
    total = len(kernel.cases)
    earned = points * right / total if total else 0.0
    why = reason("cases-right", right=right, total=total) if total else kernel.reason
    if charges and earned:
        cost = min(earned, sum(charge.rule.cost(points) for charge in charges))
        earned -= cost
        why = reason(
            "cases-right-but",
            cases=why,
            count=math.ceil(cost),
            cost=cost,
            findings=tuple(charge.reason for charge in charges),
        )
    return _part(_correctness_title(kernel.name), round(earned, 2), round(points, 2), why)


def _agreement(points: float, findings: Findings) -> Part:
    """Kernels that are wrong in the same way agree, so that only right ones earn points."""
    agreement = findings.agreement
    wrong = next((kernel for kernel in findings.kernels if not _passed(kernel)), None)
    if not agreement.complete:
        why = reason("agreement-not-judged")
    elif wrong is not None:
        why = reason("agreement-needs-right-kernels", kernel=wrong.name)
    elif agreement.disagreements:
        why = agreement.disagreements[0]
    else:
        return _part(_AGREEMENT, points, points, reason("kernels-agree"))
    return _part(_AGREEMENT, 0.0, points, why)


def _passed(kernel: KernelReport) -> bool:
    """Whether all cases of ``kernel`` are right."""
    return all(case.verdict.earns_correctness for case in kernel.cases)


def _technique(rule: TechniqueRule, owner: str, findings: Findings) -> Part:
    """The line of ``rule``; ``owner`` is what is graded with its kernel."""
    title = _technique_title(rule)
    if rule not in findings.flaws:
        is_right = any(
            kernel.name == owner and kernel.verdict.earns_correctness for kernel in findings.kernels
        )
        why = reason("technique-not-observed" if is_right else "technique-needs-right-kernel")
        return _part(title, 0.0, rule.points, why)
    flaw = findings.flaws[rule]
    in_part = owner in findings.observed_in_part
    met = reason("technique-used-when-observed" if in_part else "technique-used")
    return _part(title, rule.points if flaw is None else 0.0, rule.points, flaw or met)


def _structure(rule: StructureRule, judged: Judged | None) -> Part:
    title = _structure_title(rule)
    if judged is None:
        return _part(title, 0.0, rule.points, reason("structure-needs-right-program"))
    return _part(title, rule.points if judged.is_met else 0.0, rule.points, judged.reason)


def _speed(rule: SpeedRule, baseline: str, findings: Findings) -> Part:
    comparison = findings.comparisons.get((rule.kernel, rule.over))
    flag_reason = next((kernel.suspicion for kernel in findings.kernels if kernel.name == rule.kernel), None)
    if comparison is not None:
        given = speed_part(rule, baseline, comparison, modelled_counts=findings.modelled_counts)
        return _withheld(given, flag_reason) if flag_reason else given
    is_timed = any(kernel == rule.kernel for kernel, _ in findings.comparisons)
    why = reason("roofline-share-unknown" if is_timed else "speed-needs-right-kernel")
    return replace(
        _part(part_title(rule, baseline), 0.0, rule.points, why),
        waits_for_gpu=findings.modelled and not findings.modelled_counts,
    )


def _withheld(part: Part, flag_reason: Reason) -> Part:
    return replace(
        part,
        score=0.0,
        reason=reason("withheld-until-review", reason=flag_reason),
        withheld=Withheld(score=part.score, reason=part.reason),
    )
