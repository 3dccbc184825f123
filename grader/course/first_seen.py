"""Attempts of work that comes as files: an attempt is the time at which the store first sees it."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

from grader.model.submission import Submission
from grader.store.attempts import Attempt
from grader.store.ports import Store

SOURCE = "files"
"""The first word of ``Attempt.source`` for work that came as files."""


def record_attempts(store: Store, submissions: Iterable[Submission], at: datetime) -> None:
    """Record an attempt ``at`` this time for each of ``submissions`` that is new.

    Work that was imported has its time already and gets no other. Earlier files that come back after others are a new
    attempt.
    """
    received = tuple(submissions)
    known: dict[tuple[str, str], list[Attempt]] = defaultdict(list)
    # A single submission asks for its own attempts, not for those of the term.
    labs, students = {each.lab for each in received}, {each.student for each in received}
    for attempt in store.attempts.list(_only(labs), _only(students)):
        known[attempt.student, attempt.lab].append(attempt)
    store.attempts.put_all(
        Attempt(
            student=each.student,
            lab=each.lab,
            # Two graders that see the same work at once record one attempt.
            source=f"{SOURCE} {len(known[each.student, each.lab]) + 1} {each.digest}",
            submission=each.digest,
            submitted_at=at,
            received_at=at,
        )
        for each in received
        if _is_new(each.digest, known[each.student, each.lab])
    )


def _only(names: set[str]) -> str | None:
    return next(iter(names)) if len(names) == 1 else None


def _is_new(digest: str, known: list[Attempt]) -> bool:
    same = [attempt for attempt in known if attempt.submission == digest]
    imported = any(not attempt.source.startswith(f"{SOURCE} ") for attempt in same)
    return not same or (not imported and known[-1].submission != digest)
