"""Points follow the rubric, and every line gives its reason."""

from dataclasses import replace

from grader.judge.parts import Findings, part_names, rubric_parts
from grader.labs.loader import load_manifest
from grader.labs.manifest import Manifest, TechniqueRule
from grader.model.facts import Agreement
from grader.model.reason import Reason, as_written
from grader.model.report import CaseReport, KernelReport, Part, Visibility
from grader.model.run import Comparison, TimedPair
from grader.model.verdict import Verdict
from tools.messages import english
from tools.paths import CHECKOUT


def manifest() -> Manifest:
    return load_manifest(CHECKOUT / "assignments" / "row-sum" / "lab.toml")


def kernel(name: str, verdicts: list[Verdict]) -> KernelReport:
    return KernelReport(
        name=name,
        verdict=Verdict.ACCEPTED,
        reason=as_written(""),
        cases=tuple(
            CaseReport(name=f"case {i}", visibility=Visibility.PUBLIC, verdict=verdict, reason=as_written(""))
            for i, verdict in enumerate(verdicts)
        ),
        speedup=None,
        seconds=None,
        resources=None,
        diagnostics=(),
    )


def kernels(*verdicts: Verdict) -> list[KernelReport]:
    return [kernel(request.spec.name, list(verdicts)) for request in manifest().kernels]


def by_name(parts: tuple[Part, ...], word: str) -> list[Part]:
    return [part for part in parts if word in part.name]


def fast(ratio: float, *, modelled: bool) -> dict[tuple[str, str | None], Comparison]:
    pair = TimedPair(baseline=ratio, submission=1.0)
    return {
        (rule.kernel, rule.over): Comparison(pairs=(pair,), modelled=modelled)
        for rule in manifest().rubric.speed
    }


def flawless() -> dict[TechniqueRule, Reason | None]:
    return dict.fromkeys(manifest().rubric.technique)


def test_everything_right_earns_everything() -> None:
    findings = Findings(
        kernels=kernels(Verdict.ACCEPTED),
        flaws=flawless(),
        comparisons=fast(50, modelled=False),
        agreement=Agreement(complete=True),
    )
    parts = rubric_parts(manifest(), findings)
    assert sum(part.score for part in parts) == manifest().rubric.max_score == 100


def test_correctness_is_shared_by_cases() -> None:
    parts = rubric_parts(manifest(), Findings(kernels=kernels(Verdict.ACCEPTED, Verdict.WRONG)))
    for part in by_name(parts, "correctness"):
        assert part.score == round(part.max_score / 2, 2)
        assert english(part.reason) == "1 of 2 cases right"


def test_weights_divide_the_points_for_correctness() -> None:
    first, *others = (request.spec.name for request in manifest().kernels)
    weighted = replace(manifest(), rubric=replace(manifest().rubric, weights={first: 3}))
    parts = by_name(rubric_parts(weighted, Findings(kernels=kernels(Verdict.ACCEPTED))), "correctness")
    share = manifest().rubric.correctness / (3 + len(others))
    assert [part.max_score for part in parts] == [round(3 * share, 2), *(round(share, 2) for _ in others)]


def test_nothing_is_earned_by_what_was_not_judged() -> None:
    parts = rubric_parts(manifest(), Findings(kernels=kernels(Verdict.WRONG)))
    assert sum(part.score for part in parts) == 0
    assert all(part.reason for part in parts)


def test_a_flaw_costs_its_points_and_is_the_reason() -> None:
    rule = manifest().rubric.technique[0]
    findings = Findings(
        kernels=kernels(Verdict.ACCEPTED), flaws=flawless() | {rule: as_written("it has a flaw")}
    )
    assert [
        part.reason for part in rubric_parts(manifest(), findings) if part.max_score == rule.points
    ].count(as_written("it has a flaw")) == 1


def test_a_disagreement_costs_the_agreement() -> None:
    findings = Findings(
        kernels=kernels(Verdict.ACCEPTED),
        agreement=Agreement(complete=True, disagreements=(as_written("a and b differ"),)),
    )
    (part,) = by_name(rubric_parts(manifest(), findings), "agreement")
    assert (part.score, english(part.reason)) == (0.0, "a and b differ")


def test_wrong_kernels_that_agree_earn_nothing_for_agreement() -> None:
    zeros = [kernel("row_sum_global", [Verdict.WRONG]), *kernels(Verdict.ACCEPTED)[1:]]
    for found in (kernels(Verdict.WRONG), zeros):
        findings = Findings(kernels=found, agreement=Agreement(complete=True))
        (part,) = by_name(rubric_parts(manifest(), findings), "agreement")
        assert (part.score, part.reason.code) == (0.0, "agreement-needs-right-kernels")
        assert part.reason.params["kernel"] == "row_sum_global"


def test_a_modelled_speedup_earns_only_where_it_may() -> None:
    for counts in (False, True):
        findings = Findings(
            kernels=kernels(Verdict.ACCEPTED), comparisons=fast(50, modelled=True), modelled_counts=counts
        )
        for part in by_name(rubric_parts(manifest(), findings), "times as fast"):
            assert (part.score == part.max_score) is counts
            assert "modelled" in english(part.reason)


def test_a_slow_kernel_states_the_needed_speedup() -> None:
    findings = Findings(kernels=kernels(Verdict.ACCEPTED), comparisons=fast(0.01, modelled=False))
    for part in by_name(rubric_parts(manifest(), findings), "times as fast"):
        assert part.score == 0
        assert english(part.reason).startswith(("0.01× measured", "reaches 1.0 % of "))
        assert "needed" in english(part.reason)


def test_a_kernel_faster_than_its_device_loses_only_speed_points() -> None:
    flagged = [
        replace(each, verdict=Verdict.SUSPICIOUS, suspicion=as_written("faster than light"))
        for each in kernels(Verdict.ACCEPTED)
    ]
    findings = Findings(
        kernels=flagged,
        flaws=flawless(),
        comparisons=fast(50, modelled=False),
        agreement=Agreement(complete=True),
    )
    parts = rubric_parts(manifest(), findings)
    speed = by_name(parts, "times as fast")
    assert {(part.score, english(part.reason)) for part in speed} == {
        (0.0, "withheld until staff review: faster than light")
    }
    assert sum(part.score for part in parts) == 100 - sum(part.max_score for part in speed)


def test_a_share_of_the_roofline_that_is_not_known_gives_nothing() -> None:
    rule = replace(manifest().rubric.speed[0], over=None)
    lab = replace(manifest(), rubric=replace(manifest().rubric, speed=(rule,)))
    timed = Findings(kernels=kernels(Verdict.ACCEPTED), comparisons=fast(50, modelled=False))
    (part,) = by_name(rubric_parts(lab, timed), "of the roofline")
    assert (part.score, english(part.reason)) == (
        0.0,
        "not judged: the share of the roofline is unknown",
    )


def test_every_part_has_a_name_that_says_what_it_is_for() -> None:
    groups = part_names(manifest())
    for findings in (
        Findings(kernels=kernels(Verdict.ACCEPTED)),
        Findings(
            kernels=kernels(Verdict.ACCEPTED),
            flaws=flawless(),
            comparisons=fast(9, modelled=False),
            agreement=Agreement(complete=True),
        ),
    ):
        parts = [part.name for part in rubric_parts(manifest(), findings)]
        assert sorted(parts) == sorted(name for names in groups.values() for name in names)
    assert {group: len(names) for group, names in groups.items() if group != "correctness"} == {
        "agreement": 1,
        "technique": len(manifest().rubric.technique),
        "structure": 0,
        "speed": len(manifest().rubric.speed),
    }


def test_speed_waits_for_a_gpu_where_modelled_times_earn_nothing() -> None:
    speed = sum(rule.points for rule in manifest().rubric.speed)
    for verdict, comparisons in ((Verdict.ACCEPTED, fast(50, modelled=True)), (Verdict.WRONG, {})):
        findings = Findings(kernels=kernels(verdict), comparisons=comparisons, modelled=True)
        waiting = [part for part in rubric_parts(manifest(), findings) if part.waits_for_gpu]
        assert sum(part.max_score for part in waiting) == speed
        counted = replace(findings, modelled_counts=True)
        assert not any(part.waits_for_gpu for part in rubric_parts(manifest(), counted))
