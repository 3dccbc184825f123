"""Overrides that hold for former submissions, so that they do not count now."""

from collections.abc import Collection

from grader.course.audit import summary
from grader.course.records import Records
from grader.course.rulings import left_behind
from grader.model.reason import Reason, reason
from grader.store.values import Score


def former_overrides(records: Records, scores: Collection[Score]) -> tuple[Reason, ...]:
    """For each of the newest ``scores`` the override that its student's new work left behind, if there is one."""
    listed = tuple(scores)
    decisions = records.decisions(listed)
    found = ((score, left_behind(decisions[score.key.student, score.key.lab], score)) for score in listed)
    return tuple(
        reason(
            "override-of-former",
            what=summary(decision.ruling),
            student=score.key.student,
            lab=score.key.lab,
        )
        for score, decision in found
        if decision is not None
    )
