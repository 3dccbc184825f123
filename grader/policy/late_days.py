"""Late days: what each lab spends of a student's pool.

The times of attempts decide alone, in their order. Scores have no part in it, so that a regrade spends nothing.
"""

from collections.abc import Mapping, Sequence

from grader.policy.acceptance import accepted_until, days_needed, refused_at_once
from grader.policy.holding import Holding
from grader.policy.work import ScoredAttempt


def spent(
    holdings: Mapping[str, Holding], attempts: Mapping[str, Sequence[ScoredAttempt]], pool: int
) -> dict[str, int]:
    """The late days that each lab spends, of a ``pool`` for the term.

    An attempt spends as many days as it is late, beyond those that the lab has spent already, as far as the pool and
    the lab's own limit reach. One that would not be accepted even so spends none; nor does one over the limit of
    attempts, or of a lab from which the student is excused.
    """
    days = dict.fromkeys(holdings, 0)
    for attempt, lab in _in_order(holdings, attempts):
        held = holdings[lab]
        most = min(held.rule.late_days, days[lab] + pool - sum(days.values()))
        wanted = min(days_needed(held.rule, held.zone, attempt.submitted_at), most)
        end = accepted_until(held.rule, held.zone, max(wanted, days[lab]))
        if end is None or attempt.submitted_at <= end:
            days[lab] = max(wanted, days[lab])
    return days


def _in_order(
    holdings: Mapping[str, Holding], attempts: Mapping[str, Sequence[ScoredAttempt]]
) -> list[tuple[ScoredAttempt, str]]:
    """The admitted attempts of all labs by time of submission."""
    found = []
    for lab, held in holdings.items():
        if held.excused is not None:
            continue
        own = sorted(attempts.get(lab, ()), key=lambda each: (each.submitted_at, each.source))
        refusals = refused_at_once(held.rule, own)
        found += [(each, lab) for each, refusal in zip(own, refusals, strict=True) if refusal is None]
    return sorted(found, key=lambda each: (each[0].submitted_at, each[1], each[0].source))
