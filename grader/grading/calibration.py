"""Judge the thresholds of a lab's speed rules by its timed ladder, and propose better ones."""

import math
from collections.abc import Iterator, Mapping, Sequence

from grader.labs.manifest import Manifest, SpeedRule
from grader.model.calibration import Judgement, Threshold
from grader.model.ladder import LadderReport, RungTiming
from grader.model.submission import Language

LEAST_GAP = 1.05
"""Minimum speed ratio of two rungs for a threshold between them to separate them."""


def thresholds(manifest: Manifest, ladder: LadderReport) -> Iterator[Threshold]:
    """Judge every threshold of ``manifest`` on one case, in each language in which rungs of its kernel are timed."""
    for rule in manifest.rubric.speed:
        for language in dict.fromkeys(row.language for row in ladder.rows):
            reached = {
                row.rung: value
                for row in ladder.rows
                if (row.kernel, row.language) == (rule.kernel, language)
                and (value := _reach(row, rule.over)) is not None
            }
            naive = _naive(ladder, rule, language)
            if reached and naive is not None:
                for asked in rule.targets:
                    yield _judged(ladder.lab, rule, language, asked, reached, naive)


def _reach(row: RungTiming, over: str | None) -> float | None:
    """Highest threshold over the rung ``over`` that the row reaches; over the roofline for ``None``."""
    if over is None:
        return row.graded_share
    speedup = row.over(over)
    return speedup.high if speedup is not None else None


def _naive(ladder: LadderReport, rule: SpeedRule, language: Language) -> float | None:
    """Ratio that the lab's baseline reaches; if it lacks the kernel, the kernel that grading uses instead."""
    rows = [row for row in ladder.rows if row.language == language]
    baseline = [row for row in rows if row.rung == ladder.baseline]
    own = [row for row in baseline if row.kernel == rule.kernel] or baseline
    if rule.over is None:
        return own[0].graded_share if own else None
    # A row compared with both rungs gives their ratio.
    for row in rows:
        ours, theirs = row.over(rule.over), row.over(ladder.baseline)
        if row.kernel == rule.kernel and ours is not None and theirs is not None:
            return ours.value / theirs.value
    return None


def _judged(  # noqa: PLR0913, PLR0917 - the fields of a threshold
    lab: str, rule: SpeedRule, language: Language, asked: float, reached: Mapping[str, float], naive: float
) -> Threshold:
    best_rung = max(reached, key=lambda rung: reached[rung])
    best = reached[best_rung]
    judgement = judge(asked, best, naive)
    return Threshold(
        lab=lab,
        kernel=rule.kernel,
        language=language,
        over=rule.over,
        asked=asked,
        naive=naive,
        best=best,
        best_rung=best_rung,
        judgement=judgement,
        proposed=propose(judgement, asked, [*reached.values(), naive], naive),
    )


def judge(asked: float, best: float, naive: float) -> Judgement:
    """Judge the threshold ``asked`` where the fastest rung reaches ``best`` and the baseline ``naive``."""
    if best < asked:
        return Judgement.UNREACHABLE
    return Judgement.TRIVIAL if naive >= asked else Judgement.SOUND


def propose(judgement: Judgement, asked: float, values: Sequence[float], naive: float) -> float | None:
    """Geometric mean of two neighbours in ``values``; ``None`` if they are too close.

    A sound threshold stays between its neighbours. An unreachable one moves below the fastest rung, a trivial one
    above the baseline, which has the ratio ``naive``.
    """
    least = {
        Judgement.UNREACHABLE: max(values) / LEAST_GAP,
        Judgement.TRIVIAL: naive * LEAST_GAP,
        Judgement.SOUND: asked,
    }[judgement]
    passing = [value for value in values if value >= least]
    failing = [value for value in values if value < least]
    if not failing or not passing or min(passing) < LEAST_GAP * max(failing):
        return None
    return float(f"{math.sqrt(max(failing) * min(passing)):.3g}")
