"""A ratio to points: in tiers or along a line."""

from grader.labs.manifest import Linear, Tier, Tiers


def award(scorer: Tiers | Linear, ratio: float) -> float:
    """The points for ``ratio``, to a hundredth."""
    if isinstance(scorer, Linear):
        way = (ratio - scorer.start) / (scorer.full - scorer.start)
        return round(scorer.points * min(1.0, max(0.0, way)), 2)
    return max((tier.points for tier in scorer.steps if ratio >= tier.at_least), default=0.0)


def next_tier(scorer: Tiers, ratio: float) -> Tier | None:
    """The first tier that ``ratio`` does not meet; ``None`` where it meets them all."""
    return next((tier for tier in scorer.steps if ratio < tier.at_least), None)
