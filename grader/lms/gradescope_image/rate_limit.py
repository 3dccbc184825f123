"""A limit on submissions, judged by when they were submitted, so that a rerun by staff changes nothing."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from grader.lms.gradescope_image.metadata import Metadata
from grader.model.reason import Reason, reason

REFUSED = "grader_rate_limited"
"""The key in a result's extra data that marks a submission which was not graded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimit:
    """At most ``attempts`` submissions in any ``hours``."""

    attempts: int
    hours: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a submission is not graded, and the ``results`` that it keeps: those of the newest graded one."""

    why: Reason
    results: dict[str, Any]


def refusal(limit: RateLimit | None, metadata: Metadata) -> Refusal | None:
    """The refusal of a submission beyond ``limit``; ``None`` if it may be graded.

    Submissions on which the autograder failed do not count, and neither do refused ones.
    """
    if limit is None:
        return None
    counting = [
        each
        for each in metadata.previous
        if not each.failed and not (each.results.get("extra_data") or {}).get(REFUSED)
    ]
    window = timedelta(hours=limit.hours)
    recent = sorted(
        each.submitted_at
        for each in counting
        if timedelta() <= metadata.submitted_at - each.submitted_at < window
    )
    if len(recent) < limit.attempts:
        return None
    again = recent[-limit.attempts] + window
    newest = max(counting, key=lambda each: each.submitted_at)
    why = reason(
        "gradescope-limited",
        attempts=limit.attempts,
        hours=limit.hours,
        moment=again.isoformat(sep=" ", timespec="minutes"),
    )
    return Refusal(why=why, results=newest.results)
