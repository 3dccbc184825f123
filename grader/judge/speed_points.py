"""The sentence of a speed part: what was reached, what that gave, and what the next points need."""

from dataclasses import dataclass

from grader.judge.scorers import award, next_tier
from grader.judge.speed import speedup
from grader.labs.manifest import Linear, SpeedRule, Tiers
from grader.model.report import Part, Speedup
from grader.model.run import Comparison

ROOFLINE = "the roofline"


def speed_part(rule: SpeedRule, baseline: str, comparison: Comparison, *, modelled_counts: bool) -> Part:
    """The points for one rule, decided by the upper bound of what was measured: doubt is the student's.

    ``comparison`` is with the rung, or with an ideal kernel at the bound where the rule is about the roofline.
    """
    words = _Words(rule=rule, measured=speedup(comparison, rule.over or ROOFLINE))
    bound = words.measured.high
    points = award(rule.scorer, bound)
    if comparison.modelled and not modelled_counts:
        points, why = 0.0, f"{words.needs()}; modelled speedups earn no points here"
    elif isinstance(rule.scorer, Linear):
        why = words.along(rule.scorer, bound, points)
    else:
        why = words.in_tiers(rule.scorer, bound, points)
    return Part(
        name=part_name(rule, baseline),
        score=points,
        max_score=rule.points,
        reason=f"{words.reached()}{why}",
    )


def part_name(rule: SpeedRule, baseline: str) -> str:
    """What the rule asks for, as a line of the rubric."""
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
class _Words:
    """Parts of the sentence. Shares are told in percent, multiples with a cross."""

    rule: SpeedRule
    measured: Speedup

    def reached(self) -> str:
        """The speedup with its interval and kind."""
        seen = self.measured
        interval = f"[{self._bare(seen.low)}, {self._bare(seen.high)}] {seen.kind}"
        if self._in_percent:
            return f"reaches {self._ratio(seen.value)} of {seen.baseline} {interval}"
        return f"{self._ratio(seen.value)} {interval}"

    def needs(self) -> str:
        """The lowest ratio that points are given for."""
        return f"; {self._ratio(self.rule.targets[0])} needed"

    def in_tiers(self, tiers: Tiers, bound: float, points: float) -> str:
        """What the tiers gave and what the next one needs."""
        missing = next_tier(tiers, bound)
        if missing is None:
            top = tiers.targets[-1]
            doubt = f", as {self._ratio(top)} cannot be ruled out" if self.measured.value < top else ""
            return f"; all {_points(points)}{doubt}"
        given = f"; {points:g} of {_points(tiers.points)}" if points else ""
        more = f"{missing.points - points:g} more points" if points else _points(missing.points)
        return f"{given}; {self._ratio(missing.at_least)} needed for {more}"

    def along(self, line: Linear, bound: float, points: float) -> str:
        """How far up the line the ratio came."""
        first, last = self._ratio(line.start), self._ratio(line.full)
        if points >= line.points:
            doubt = f", as {last} cannot be ruled out" if self.measured.value < line.full else ""
            return f": all {_points(points)}{doubt}"
        if not points:
            return f": 0 of {_points(line.points)}; more above {first}, all from {last}"
        exact = self._bare(bound) == self._bare(self.measured.value)
        counted = "" if exact else f", counted at {self._ratio(bound)}"
        return f": {points:g} of {_points(line.points)}{counted}; all from {last}"

    @property
    def _in_percent(self) -> bool:
        return self.rule.over is None or self.rule.targets[-1] < 1

    def _ratio(self, ratio: float) -> str:
        return f"{self._bare(ratio)} %" if self._in_percent else f"{self._bare(ratio)}×"

    def _bare(self, ratio: float) -> str:
        return f"{100 * ratio:.1f}" if self._in_percent else f"{ratio:.2f}"


def _points(points: float) -> str:
    return f"{points:g} point{'' if points == 1 else 's'}"
