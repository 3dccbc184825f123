"""A ladder shows which thresholds are unreachable or trivial; better ones are proposed."""

from dataclasses import replace

import pytest

from grader.grading.calibration import judge, propose, thresholds
from grader.labs.manifest import Manifest, SpeedRule, Tier, Tiers
from grader.labs.registry import discover
from grader.model.calibration import Judgement, Threshold
from grader.model.ladder import LadderReport, RungTiming
from grader.model.reason import as_written
from grader.model.report import EngineInfo, Speedup, SpeedupKind
from grader.model.run import EngineKind
from grader.model.submission import Language

SPEEDS = {"global": 1.0, "shared": 2.0, "expert": 8.0}


def speedup(over: str, value: float) -> Speedup:
    return Speedup(value=value, low=value, high=value, kind=SpeedupKind.MODELLED, baseline=over)


def row(rung: str) -> RungTiming:
    return RungTiming(
        rung=rung,
        kernel="matmul",
        language=Language.CUDA_C,
        case="medium",
        sizes={"n": 100},
        seconds=(1 / SPEEDS[rung],),
        speedups=tuple(speedup(over, SPEEDS[rung] / SPEEDS[over]) for over in ("global", "shared")),
        graded_share=SPEEDS[rung] / 10,
    )


LADDER = LadderReport(
    lab="matmul",
    version="1.0",
    digest="",
    engine=EngineInfo(kind=EngineKind.EMULATOR, device="Tesla T4"),
    kind=SpeedupKind.MODELLED,
    baseline="global",
    rows=tuple(map(row, SPEEDS)),
)


def asking(over: str | None, *targets: float) -> Manifest:
    steps = tuple(Tier(at_least=target, points=target) for target in targets)
    rule = SpeedRule(kernel="matmul", scorer=Tiers(steps=steps), over=over)
    manifest = discover().get("matmul").manifest
    return replace(manifest, rubric=replace(manifest.rubric, speed=(rule,)))


def judged_thresholds(over: str | None, *targets: float) -> list[Threshold]:
    return list(thresholds(asking(over, *targets), LADDER))


def test_each_threshold_is_judged_by_what_the_rungs_reach() -> None:
    judged = judged_thresholds("global", 0.9, 3.0, 9.0)
    assert [known.judgement for known in judged] == [
        Judgement.TRIVIAL,
        Judgement.SOUND,
        Judgement.UNREACHABLE,
    ]
    assert {(known.best, known.best_rung, known.naive) for known in judged} == {(8.0, "expert", 1.0)}


def test_a_fraction_of_a_rung_is_judged_against_the_baseline() -> None:
    (low, high) = judged_thresholds("shared", 0.4, 0.8)
    assert (low.judgement, low.naive) == (Judgement.TRIVIAL, 0.5)
    assert (high.judgement, high.best) == (Judgement.SOUND, 4.0)


def test_a_roofline_share_is_judged_by_the_rungs_shares() -> None:
    assert [known.judgement for known in judged_thresholds(None, 0.05, 0.5, 0.9)] == [
        Judgement.TRIVIAL,
        Judgement.SOUND,
        Judgement.UNREACHABLE,
    ]


def test_a_rung_without_a_time_judges_nothing() -> None:
    failed = tuple(
        replace(known, speedups=(), seconds=(), reason=as_written("wrong")) for known in LADDER.rows
    )
    assert not list(thresholds(asking("global", 2.0), replace(LADDER, rows=failed)))


@pytest.mark.parametrize(
    ("asked", "values", "proposed"),
    [
        (3.0, [1, 2, 8], 4.0),  # between shared and expert, as before
        (1.5, [1, 2, 8], 1.41),  # between the baseline and shared
        (9.0, [1, 2, 8], 4.0),  # unreachable: below the fastest
        (0.9, [1, 2, 8], 1.41),  # trivial: above the baseline
        (1.02, [1, 1.04], None),  # no threshold can separate two rungs of almost equal speed
        (0.9, [1, 1], None),
    ],
)
def test_what_is_proposed_lies_midway_between_two_rungs(
    asked: float, values: list[float], proposed: float | None
) -> None:
    judgement = judge(asked, max(values), naive=1.0)
    assert propose(judgement, asked, values, naive=1.0) == proposed


@pytest.mark.parametrize("asked", [0.9, 3.0, 9.0])
def test_what_is_proposed_is_sound(asked: float) -> None:
    (known,) = judged_thresholds("global", asked)
    assert known.proposed is not None
    (again,) = judged_thresholds("global", known.proposed)
    assert (again.judgement, again.proposed) == (Judgement.SOUND, known.proposed)
