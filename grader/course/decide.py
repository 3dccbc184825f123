"""Decisions of staff about submissions."""

import getpass
from dataclasses import dataclass
from datetime import UTC, datetime

from grader.course.report_store import ReportStore
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.logs import Event, bound_submission, log
from grader.model.report import Report
from grader.model.review import Decision, Review
from grader.report import quantities


@dataclass(frozen=True, slots=True, kw_only=True)
class Flagged:
    """A flagged report with the decisions about it, the latest last."""

    report: Report
    reviews: tuple[Review, ...]


def flagged(workspace: Workspace) -> tuple[Flagged, ...]:
    """Every flagged submission that counts, the oldest first."""
    with ReportStore(workspace) as store:
        return tuple(
            Flagged(report=record.report, reviews=reviews) for record, reviews in store.flagged(None)
        )


def flagged_of(workspace: Workspace, student: str, lab: str) -> Flagged:
    """The submission that ``review`` decides about. Raises: ``UserError`` if none is flagged."""
    workspace.registry.get(lab)
    with ReportStore(workspace) as store:
        record, reviews = store.flagged_of(student, lab)
    return Flagged(report=record.report, reviews=reviews)


def review(workspace: Workspace, student: str, lab: str, decided: Review) -> None:
    """Keep the decision about the student's newest flagged submission without one, or else about the newest.

    Raises: ``UserError`` if none is flagged, or if the same decision is stored already.
    """
    workspace.registry.get(lab)
    with ReportStore(workspace) as store:
        record, before = store.flagged_of(student, lab)
        if before and (before[-1].decision, before[-1].reason) == (decided.decision, decided.reason):
            msg = f"This decision is stored already: {quantities.decision_text(before[-1])}"
            raise UserError(msg, hint="Give another decision or another reason.")
        store.decide(record, decided)
    with bound_submission(student, lab, record.key.submission):
        log(
            Event.DECISION_STORED,
            decision=decided.decision,
            reviewer=decided.reviewer,
            reason=decided.reason,
        )


def decision(choice: Decision, because: str, by: str) -> Review:
    """A decision made now, by ``by`` or by the user who is logged in. Raises: ``UserError`` without a reason."""
    if not because.strip():
        msg = "A decision needs a reason."
        raise UserError(msg, hint='Give one with --because "TEXT".')
    return Review(
        decision=choice,
        reviewer=by.strip() or getpass.getuser(),
        reason=because.strip(),
        decided_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
