"""A rubric says what a finding of undefined behaviour takes from a kernel that computes the right outputs."""

from dataclasses import replace

import pytest

from grader.judge.finding_costs import charges
from grader.judge.kernel_report import kernel_report
from grader.judge.score import score
from grader.labs.finding_rules import CostlyFinding, FindingRule
from grader.labs.loader import load_manifest
from grader.labs.manifest import Manifest
from grader.model.device import Device
from grader.model.devices import TESLA_T4
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.facts import Agreement, CaseOutcome, Facts, KernelFacts
from grader.model.reason import as_written
from grader.model.report import Isolation, Report
from grader.model.run import EngineKind
from grader.model.submission import Language, SubmissionIdentity
from grader.model.verdict import Verdict
from tools.messages import english
from tools.paths import CHECKOUT

DEVICE: Device = TESLA_T4
HALF = FindingRule(finding=CostlyFinding.MISSING_SYNCWARP, share=0.5)
HAZARD = Diagnostic(
    kind=DiagnosticKind.LANE_HAZARD,
    severity=Severity.WARNING,
    message=as_written("lanes exchange values"),
    file="sum.cu",
    line=7,
    case="ragged",
)


def manifest(*rules: FindingRule) -> Manifest:
    lab = load_manifest(CHECKOUT / "assignments" / "row-sum" / "lab.toml")
    return replace(lab, rubric=replace(lab.rubric, findings=rules))


def facts(lab: Manifest, *found: Diagnostic, wrong: int = 0) -> Facts:
    cases = tuple(
        CaseOutcome(
            name=case.name,
            verdict=Verdict.WRONG if index < wrong else Verdict.ACCEPTED,
            reason=as_written(""),
        )
        for index, case in enumerate(lab.cases)
    )
    names = [kernel.spec.name for kernel in lab.kernels]
    kernels = [KernelFacts(name=name, cases=cases) for name in names]
    return Facts(
        lab=lab.name,
        language=Language.CUDA_C,
        engine=EngineKind.EMULATOR,
        device=DEVICE,
        isolation=Isolation(sandbox="none", trusted=True),
        seed=1,
        kernels=(replace(kernels[0], diagnostics=found), *kernels[1:]),
        agreement=Agreement(complete=True),
    )


def scored(lab: Manifest, found: Facts) -> Report:
    identity = SubmissionIdentity(student="s", lab=lab.name, language=Language.CUDA_C, path="sum.cu")
    return score(found, lab, identity, modelled_counts=False)


def test_a_finding_takes_its_share_and_names_its_line() -> None:
    lab = manifest(HALF)
    report = scored(lab, facts(lab, HAZARD))
    costly, *others = report.parts[: len(lab.kernels)]
    assert costly.score == costly.max_score / 2
    assert all(part.score == part.max_score for part in others)
    assert costly.reason.code == "cases-right-but"
    assert "sum.cu, line 7" in english(costly.reason)


def test_a_kernel_with_a_finding_that_is_not_accepted_is_wrong() -> None:
    lab = manifest(HALF)
    report = scored(lab, facts(lab, HAZARD))
    assert [kernel.verdict for kernel in report.kernels] == [
        Verdict.WRONG,
        Verdict.ACCEPTED,
        Verdict.ACCEPTED,
    ]
    assert report.verdict is Verdict.WRONG
    assert "sum.cu, line 7" in english(report.reason)


def test_a_lab_may_accept_a_kernel_with_a_finding() -> None:
    lab = manifest(FindingRule(finding=CostlyFinding.MISSING_SYNCWARP, points=3, accepted=True))
    report = scored(lab, facts(lab, HAZARD))
    assert report.verdict is Verdict.ACCEPTED
    assert report.parts[0].score == report.parts[0].max_score - 3


def test_without_a_rule_a_finding_costs_nothing() -> None:
    lab = manifest()
    report = scored(lab, facts(lab, HAZARD))
    assert report.verdict is Verdict.ACCEPTED
    assert report.parts[0].score == report.parts[0].max_score


def test_costs_never_make_points_negative() -> None:
    lab = manifest(FindingRule(finding=CostlyFinding.MISSING_SYNCWARP, points=1000))
    assert scored(lab, facts(lab, HAZARD, wrong=2)).parts[0].score == 0


def test_a_finding_of_a_public_case_is_shown_rather_than_a_hidden_one() -> None:
    hidden = replace(HAZARD, case="secret", line=3, severity=Severity.ERROR)
    (charge,) = charges([HALF], [hidden, HAZARD], {"ragged"})
    assert (charge.reason.case, charge.reason.location and charge.reason.location.line) == ("ragged", 7)


@pytest.mark.parametrize(
    ("finding", "kind", "severity"),
    [
        (CostlyFinding.DIVERGENT_BARRIER, DiagnosticKind.DIVERGENT_BARRIER, Severity.ERROR),
        (CostlyFinding.EXIT_BEFORE_BARRIER, DiagnosticKind.DIVERGENT_BARRIER, Severity.WARNING),
        (CostlyFinding.SHUFFLE_INACTIVE, DiagnosticKind.INACTIVE_LANE, Severity.WARNING),
        (CostlyFinding.UNINITIALISED_READ, DiagnosticKind.UNINITIALISED, Severity.WARNING),
        (CostlyFinding.SAME_VALUE_RACE, DiagnosticKind.GLOBAL_RACE, Severity.WARNING),
        (CostlyFinding.ORDER_DEPENDENCE, DiagnosticKind.ORDER_DEPENDENCE, Severity.ERROR),
    ],
)
def test_each_key_stands_for_its_own_findings(
    finding: CostlyFinding, kind: DiagnosticKind, severity: Severity
) -> None:
    found = replace(HAZARD, kind=kind, severity=severity)
    rules = [FindingRule(finding=each, share=1) for each in CostlyFinding]
    assert [charge.rule.finding for charge in charges(rules, [found], set())] == [finding]


def test_a_note_costs_nothing() -> None:
    note = replace(HAZARD, severity=Severity.NOTE)
    assert charges([HALF], [note], {"ragged"}) == ()


def test_a_kernel_that_is_wrong_anyway_keeps_its_own_reason() -> None:
    lab = manifest(HALF)
    found = facts(lab, HAZARD, wrong=1)
    assert kernel_report(found, found.kernels[1], lab).reason.code == "in-case"
