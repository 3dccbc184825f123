"""Parts of statements about rules: notes, spans, and how late something is."""

from datetime import timedelta

from grader.model.reason import Reason, plural_of, reason
from grader.policy.late import Cost, LateRule
from grader.policy.times import Span, Unit

_EACH = {
    Unit.MINUTE: "each-minute",
    Unit.HOUR: "each-hour",
    Unit.DAY: "each-day",
    Unit.WEEK: "each-week",
}
_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)
_MINUTE = timedelta(minutes=1)


def note(by: str, why: str) -> Reason | None:
    """Who decided and why, in brackets; nothing if neither is known."""
    if by and why:
        return reason("rule-note-by-because", by=by, why=why)
    return reason("rule-note", text=by or why) if by or why else None


def each(span: Span) -> Reason:
    """How often: ``a day``, ``every 2 hours``."""
    return reason(_EACH[span.unit], count=span.count)


def elapsed(time: timedelta) -> Reason:
    """A duration with its two largest units."""
    if time >= _DAY:
        return reason("elapsed-days", days=time // _DAY, hours=time % _DAY // _HOUR)
    if time >= _HOUR:
        return reason("elapsed-hours", hours=time // _HOUR, minutes=time % _HOUR // _MINUTE)
    return reason("elapsed-minutes", minutes=-(-time // _MINUTE))


def less(rule: LateRule, cost: float) -> Reason:
    """A penalty: ``20 % less``, ``5 points less``."""
    if rule.kind is Cost.POINTS:
        return reason("points-less", points=cost, count=plural_of(cost))
    code = "percent-less" if rule.kind is Cost.EARNED else "percent-of-maximum-less"
    return reason(code, percent=cost)
