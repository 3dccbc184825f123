"""Attempts in pages, the newest first: a student's own, or those of the class for staff."""

from dataclasses import dataclass
from datetime import datetime

from grader.course.attempt_lines import AttemptLine, attempts_of
from grader.course.own_work import own_work
from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.report.redact import Audience

MOST = 50
"""The most attempts of one page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedAttempt:
    """One attempt of ``student`` for ``lab``."""

    student: str
    lab: str
    line: AttemptLine


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptList:
    """A page of attempts; those of the next page have ids below ``next``, ``None`` on the last page."""

    attempts: tuple[ListedAttempt, ...]
    next: int | None


def attempt_list(  # noqa: PLR0913 - a filter and its parts
    workspace: Workspace,
    now: datetime,
    audience: Audience,
    *,
    student: str | None = None,
    lab: str | None = None,
    before: int | None = None,
    most: int = MOST,
) -> AttemptList:
    """At most ``most`` attempts with ids below ``before``, as ``audience`` may see them."""
    with Records(workspace) as records:
        found = records.store.attempts.page(most + 1, before, lab, student)
        lines: dict[int, AttemptLine] = {}
        for who, what in {(each.attempt.student, each.attempt.lab) for each in found[:most]}:
            grade = own_work(workspace, records, who, now, what).grades[what]
            lines |= {line.id: line for line in attempts_of(records, who, what, grade, audience).lines}
    return AttemptList(
        attempts=tuple(
            ListedAttempt(student=each.attempt.student, lab=each.attempt.lab, line=lines[each.id])
            for each in found[:most]
        ),
        next=found[most - 1].id if len(found) > most else None,
    )
