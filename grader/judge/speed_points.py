"""Points for one speed rule, and the sentence that explains them: ratio reached, points given, next threshold."""

from dataclasses import dataclass

from grader.judge.speed import speedup
from grader.labs.manifest import Linear, SpeedRule, Tier, Tiers
from grader.model.reason import as_written
from grader.model.report import Part, Speedup
from grader.model.run import Comparison

ROOFLINE = "the roofline"


def points_for(scorer: Tiers | Linear, ratio: float) -> float:
    """Points for ``ratio``: those of the highest tier reached, or those on the line, rounded to a hundredth."""
    if isinstance(scorer, Linear):
        fraction = (ratio - scorer.start) / (scorer.full - scorer.start)
        return round(scorer.points * min(1.0, max(0.0, fraction)), 2)
    return max((tier.points for tier in scorer.steps if ratio >= tier.at_least), default=0.0)


def next_tier(scorer: Tiers, ratio: float) -> Tier | None:
    """First tier above ``ratio``; ``None`` where ``ratio`` reaches all of them."""
    return next((tier for tier in scorer.steps if ratio < tier.at_least), None)


def speed_part(rule: SpeedRule, baseline: str, comparison: Comparison, *, modelled_counts: bool) -> Part:
    """Score one rule by the upper bound of the measured interval, so measurement noise never costs points.

    Points are withheld only if the whole interval lies below the threshold. ``comparison`` is with the rule's rung, or
    with an ideal kernel at the roofline where the rule is about the roofline.
    """
    sentence = _Sentence(rule=rule, measured=speedup(comparison, rule.over or ROOFLINE))
    bound = sentence.measured.high
    points = points_for(rule.scorer, bound)
    if comparison.modelled and not modelled_counts:
        points, why = 0.0, f"{sentence.needed()}; modelled speedups earn no points here"
    elif isinstance(rule.scorer, Linear):
        why = sentence.on_line(rule.scorer, bound, points)
    else:
        why = sentence.in_tiers(rule.scorer, bound, points)
    return Part(
        name=part_name(rule, baseline),
        score=points,
        max_score=rule.points,
        reason=as_written(f"{sentence.reached()}{why}"),
    )


def part_name(rule: SpeedRule, baseline: str) -> str:
    """Requirement of the rule, as a line of the rubric."""
    if rule.over is None:
        return f"{rule.kernel} at least {rule.targets[0]:.0%} of {ROOFLINE}"
    over = "the baseline" if rule.over == baseline else rule.over
    first, last = rule.targets[0], rule.targets[-1]
    if isinstance(rule.scorer, Linear):
        asked = f"from {first:g} to {last:g}"
    else:
        asked = f"at least {' or '.join(f'{target:g}' for target in rule.targets)}"
    return f"{rule.kernel} {asked} times as fast as {over}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sentence:
    """Parts of the reason. Fractions of a rung or of the roofline are in percent, multiples have a times sign."""

    rule: SpeedRule
    measured: Speedup

    def reached(self) -> str:
        """Speedup with its interval and kind."""
        seen = self.measured
        interval = f"[{self._bare(seen.low)}, {self._bare(seen.high)}] {seen.kind}"
        if self._in_percent:
            return f"reaches {self._ratio(seen.value)} of {seen.baseline} {interval}"
        return f"{self._ratio(seen.value)} {interval}"

    def needed(self) -> str:
        """Lowest ratio that earns points."""
        return f"; {self._ratio(self.rule.targets[0])} needed"

    def in_tiers(self, tiers: Tiers, bound: float, points: float) -> str:
        """Points of the tier reached, and the ratio that the next tier needs."""
        missing = next_tier(tiers, bound)
        if missing is None:
            return f"; all {_points(points)}{self._within_noise(tiers.targets[-1])}"
        given = f"; {points:g} of {_points(tiers.points)}" if points else ""
        more = f"{missing.points - points:g} more points" if points else _points(missing.points)
        return f"{given}; {self._ratio(missing.at_least)} needed for {more}"

    def on_line(self, line: Linear, bound: float, points: float) -> str:
        """Points on the line, and the ratio that earns all of them."""
        first, last = self._ratio(line.start), self._ratio(line.full)
        if points >= line.points:
            return f": all {_points(points)}{self._within_noise(line.full)}"
        if not points:
            return f": 0 of {_points(line.points)}; more above {first}, all from {last}"
        exact = self._bare(bound) == self._bare(self.measured.value)
        counted = "" if exact else f", counted at {self._ratio(bound)}"
        return f": {points:g} of {_points(line.points)}{counted}; all from {last}"

    def _within_noise(self, target: float) -> str:
        """Why the points are given although the median lies below ``target``."""
        return f", as {self._ratio(target)} cannot be ruled out" if self.measured.value < target else ""

    @property
    def _in_percent(self) -> bool:
        return self.rule.over is None or self.rule.targets[-1] < 1

    def _ratio(self, ratio: float) -> str:
        return f"{self._bare(ratio)} %" if self._in_percent else f"{self._bare(ratio)}×"

    def _bare(self, ratio: float) -> str:
        return f"{100 * ratio:.1f}" if self._in_percent else f"{ratio:.2f}"


def _points(points: float) -> str:
    return f"{points:g} point{'' if points == 1 else 's'}"
