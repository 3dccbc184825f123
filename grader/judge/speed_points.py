"""Points for one speed rule, and the reason that explains them: ratio reached, points given, next threshold."""

import math
from dataclasses import dataclass

from grader.judge.speed import speedup
from grader.labs.manifest import Linear, SpeedRule, Tier, Tiers
from grader.messages import ENGLISH
from grader.model.reason import Param, Reason, plural_of, reason
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
    account = _Account(rule=rule, measured=speedup(comparison, rule.over or ROOFLINE))
    bound = account.measured.high
    points = points_for(rule.scorer, bound)
    waits = comparison.modelled and not modelled_counts
    if waits:
        points, why = 0.0, reason("speed-must-be-measured", target=account.ratio(rule.targets[0]))
    elif isinstance(rule.scorer, Linear):
        why = account.on_line(rule.scorer, bound, points)
    else:
        why = account.in_tiers(rule.scorer, bound, points)
    title = part_title(rule, baseline)
    return Part(
        name=ENGLISH(title),
        title=title,
        score=points,
        max_score=rule.points,
        reason=reason("speed", reached=account.reached(), points=why),
        waits_for_gpu=waits,
    )


def part_title(rule: SpeedRule, baseline: str) -> Reason:
    """Requirement of the rule, as a line of the rubric."""
    if rule.over is None:
        return reason("part-roofline", kernel=rule.kernel, share=f"{rule.targets[0]:.0%}")
    rung = reason("part-baseline") if rule.over == baseline else rule.over
    targets = tuple(int(target) if target == int(target) else target for target in rule.targets)
    if isinstance(rule.scorer, Linear):
        return reason("part-speed-line", kernel=rule.kernel, first=targets[0], last=targets[-1], rung=rung)
    return reason("part-speed", kernel=rule.kernel, targets=targets, rung=rung)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Account:
    """Parts of the reason. Fractions of a rung or of the roofline are in percent, multiples have a times sign."""

    rule: SpeedRule
    measured: Speedup

    def reached(self) -> Reason:
        """The ratio with its interval and kind; an interval that shows as one number is left out."""
        seen = self.measured
        params: dict[str, Param] = {"ratio": self.ratio(seen.value), "kind": seen.kind.value}
        code, exact_code = "speedup-reached", "speedup-reached-exactly"
        if self.rule.over is None:
            code, exact_code = "roofline-share-reached", "roofline-share-reached-exactly"
        elif self._in_percent:
            code, exact_code = "share-reached", "share-reached-exactly"
            params["rung"] = seen.baseline
        if self._shown(seen.low) == self._shown(seen.high):
            return Reason(code=exact_code, params=params)
        interval = {"low": self.ratio(seen.low), "high": self.ratio(seen.high)}
        return Reason(code=code, params=params | interval)

    def in_tiers(self, tiers: Tiers, bound: float, points: float) -> Reason:
        """Points of the tier reached, and the ratio that the next tier needs."""
        missing = next_tier(tiers, bound)
        if missing is None:
            return self._all(points, tiers.targets[-1])
        target = self.ratio(missing.at_least)
        if not points:
            return _about_points("speed-first-tier", missing.points, target=target)
        more = missing.points - points
        return _about_points("speed-next-tier", more, earned=points, total=tiers.points, target=target)

    def on_line(self, line: Linear, bound: float, points: float) -> Reason:
        """Points on the line, and the ratio that earns all of them."""
        last = self.ratio(line.full)
        if points >= line.points:
            return self._all(points, line.full)
        if not points:
            return _about_points("speed-below-line", line.points, first=self.ratio(line.start), last=last)
        if self._shown(bound) == self._shown(self.measured.value):
            return _about_points("speed-on-line", line.points, earned=points, last=last)
        counted = self.ratio(bound)
        return _about_points(
            "speed-on-line-within-noise", line.points, earned=points, last=last, bound=counted
        )

    def ratio(self, ratio: float) -> Reason:
        """``ratio`` as people read it."""
        if self._in_percent:
            return reason("percent", value=self._shown(ratio))
        return reason("times", value=self._shown(ratio))

    def _all(self, points: float, target: float) -> Reason:
        """All points; why, if the median lies below ``target``."""
        if self.measured.value >= target:
            return _about_points("speed-all-points", points)
        return _about_points("speed-all-points-within-noise", points, target=self.ratio(target))

    @property
    def _in_percent(self) -> bool:
        return self.rule.over is None or self.rule.targets[-1] < 1

    def _shown(self, ratio: float) -> float:
        """``ratio`` rounded as people read it, but down where it would look like a target that it misses."""
        scale, digits = (100, 1) if self._in_percent else (1, 2)
        shown = round(scale * ratio, digits)
        if any(ratio < target <= shown / scale for target in self.rule.targets):
            unit = 10.0**-digits
            return round(math.floor(scale * ratio / unit) * unit, digits)
        return shown


def _about_points(code: str, points: float, **params: Param) -> Reason:
    """A statement about ``points``; ``count`` decides between plural forms, and a fraction takes that of several."""
    count = plural_of(points)
    return Reason(code=code, params={"points": points, "count": count, **params})
