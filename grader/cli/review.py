"""``grader review``: flagged submissions, and the decisions of staff about them."""

import getpass
from datetime import UTC, datetime
from typing import Annotated

import typer

from grader.cli.console import note, out
from grader.cli.lazy_group import command_app
from grader.cli.report_store import ReportStore
from grader.cli.workspace import open_workspace
from grader.errors import UserError
from grader.logs import Event, bound_submission, log
from grader.model.review import Decision, Review
from grader.report import quantities
from grader.report.terminal.review import decisions, flagged_list
from grader.store.port import GradedRecord

EXAMPLE = 'Example: `grader review student-01 row-sum --clear --because "ran it with ncu: 1.02 of the peak"`'


def review(  # noqa: PLR0913 - options of one command
    student: Annotated[
        str | None, typer.Argument(metavar="[STUDENT]", help="The student; review their submission.")
    ] = None,
    lab: Annotated[str | None, typer.Argument(metavar="[LAB]", help="The lab of the submission.")] = None,
    *,
    clear: Annotated[
        bool, typer.Option("--clear", help="The times are genuine: the speed earns its points.")
    ] = False,
    confirm: Annotated[
        bool, typer.Option("--confirm", help="The flag is right: the speed earns nothing.")
    ] = False,
    because: Annotated[str, typer.Option(metavar="TEXT", help="The reason; stored with the decision.")] = "",
    by: Annotated[
        str, typer.Option(metavar="NAME", help="Who decides (default: the user who is logged in).")
    ] = "",
) -> None:
    """List the submissions that wait for review by staff, or decide about one of them.

    The latest decision counts; earlier ones are kept. The stored report does not change.
    """
    workspace = open_workspace()
    if lab is not None:
        workspace.registry.get(lab)
    with ReportStore(workspace) as store:
        if student is None:
            _list(store)
            return
        if lab is None:
            msg = "The lab is missing."
            raise UserError(msg, hint=f"Run `grader review {student} LAB`.")
        record, before = _latest(store, student, lab)
        if not clear and not confirm:
            out.print(decisions(record.report, before))
            return
        decided = _decision(clear=clear, confirm=confirm, because=because, by=by)
        if before and _same(before[-1], decided):
            msg = f"This decision is stored already: {quantities.decision_text(before[-1])}"
            raise UserError(msg, hint="Give another decision or another reason.")
        store.decide(record, decided)
        key = record.key
        with bound_submission(key.student, key.lab, key.submission):
            log(
                Event.DECISION_STORED,
                decision=decided.decision,
                reviewer=decided.reviewer,
                reason=decided.reason,
            )
    note(f"{student} on {lab}: {quantities.decision_text(decided)}")


def _list(store: ReportStore) -> None:
    found = store.flagged(None)
    undecided = [record.report for record, reviews in found if not reviews]
    if undecided:
        out.print(flagged_list(undecided))
    else:
        note("No submission waits for review.")
    for record, reviews in found:
        if reviews:
            out.print(decisions(record.report, reviews))


def _latest(store: ReportStore, student: str, lab: str) -> tuple[GradedRecord, tuple[Review, ...]]:
    """The student's newest flagged submission without a decision, or else the newest one."""
    theirs = [(record, reviews) for record, reviews in store.flagged(lab) if record.key.student == student]
    undecided = [(record, reviews) for record, reviews in theirs if not reviews]
    if not theirs:
        msg = f"No submission of {student} for {lab} is suspicious."
        raise UserError(msg, hint="See what waits with `grader review`.")
    return (undecided or theirs)[-1]


def _decision(*, clear: bool, confirm: bool, because: str, by: str) -> Review:
    if clear and confirm:
        msg = "--clear and --confirm exclude each other."
        raise UserError(msg, hint="Use one of them.")
    if not because.strip():
        msg = "A decision needs a reason."
        raise UserError(msg, hint='Give one with --because "TEXT".')
    return Review(
        decision=Decision.CLEARED if clear else Decision.CONFIRMED,
        reviewer=by.strip() or getpass.getuser(),
        reason=because.strip(),
        decided_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _same(one: Review, other: Review) -> bool:
    return (one.decision, one.reason) == (other.decision, other.reason)


app = command_app(review, EXAMPLE)
