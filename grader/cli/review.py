"""``grader review``: submissions whose times cannot be, and what a person decides about them."""

import getpass
from datetime import UTC, datetime
from typing import Annotated

import typer

from grader.cli.console import note, out
from grader.cli.lazy_group import command_app
from grader.cli.report_store import ReportStore
from grader.cli.workspace import open_workspace
from grader.errors import UserError
from grader.model.review import Decision, Review
from grader.report import quantities
from grader.report.terminal.review import decisions, flagged_list
from grader.store.port import GradedRecord

EXAMPLE = 'Example: `grader review student-01 row-sum --clear --because "ran it with ncu: 1.02 of the peak"`'


def review(  # noqa: PLR0913 - options of one command
    student: Annotated[
        str | None, typer.Argument(metavar="[STUDENT]", help="Whose submission to decide about.")
    ] = None,
    lab: Annotated[str | None, typer.Argument(metavar="[LAB]", help="Of which lab.")] = None,
    *,
    clear: Annotated[
        bool, typer.Option("--clear", help="Its times are honest: the speed counts, with its points.")
    ] = False,
    confirm: Annotated[
        bool, typer.Option("--confirm", help="The doubt is right: the speed counts for nothing.")
    ] = False,
    because: Annotated[str, typer.Option(metavar="TEXT", help="Why; kept with the decision.")] = "",
    by: Annotated[str, typer.Option(metavar="NAME", help="Who decides; by default who is logged in.")] = "",
) -> None:
    """List the submissions that wait for a person, or decide about one of them.

    Decisions are kept one after the other, and the last one counts. What was graded is not changed.
    """
    workspace = open_workspace()
    if lab is not None:
        workspace.registry.get(lab)
    with ReportStore(workspace) as store:
        if student is None:
            _list(store)
            return
        if lab is None:
            msg = "Which lab's submission is it?"
            raise UserError(msg, hint=f"Say `grader review {student} LAB`.")
        record, before = _latest(store, student, lab)
        if not clear and not confirm:
            out.print(decisions(record.report, before))
            return
        decided = _decision(clear=clear, confirm=confirm, because=because, by=by)
        if before and _same(before[-1], decided):
            msg = f"That is decided already: {quantities.decision_text(before[-1])}"
            raise UserError(msg, hint="Decide otherwise, or give another reason.")
        store.decide(record, decided)
    note(f"{student} on {lab}: {quantities.decision_text(decided)}")


def _list(store: ReportStore) -> None:
    found = store.suspicious(None)
    undecided = [record.report for record, reviews in found if not reviews]
    if undecided:
        out.print(flagged_list(undecided))
    else:
        note("Nothing waits for a person.")
    for record, reviews in found:
        if reviews:
            out.print(decisions(record.report, reviews))


def _latest(store: ReportStore, student: str, lab: str) -> tuple[GradedRecord, tuple[Review, ...]]:
    """The newest undecided one of the student's suspicious hand-ins, or else the newest."""
    theirs = [(record, reviews) for record, reviews in store.suspicious(lab) if record.key.student == student]
    undecided = [(record, reviews) for record, reviews in theirs if not reviews]
    if not theirs:
        msg = f"Nothing that {student} handed in for {lab} is suspicious."
        raise UserError(msg, hint="See what waits with `grader review`.")
    return (undecided or theirs)[-1]


def _decision(*, clear: bool, confirm: bool, because: str, by: str) -> Review:
    if clear and confirm:
        msg = "--clear and --confirm say the opposite of each other."
        raise UserError(msg, hint="Give one of them.")
    if not because.strip():
        msg = "A decision needs a reason."
        raise UserError(msg, hint='Say why with --because "TEXT".')
    return Review(
        decision=Decision.CLEARED if clear else Decision.CONFIRMED,
        reviewer=by.strip() or getpass.getuser(),
        reason=because.strip(),
        decided_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _same(one: Review, other: Review) -> bool:
    return (one.decision, one.reason) == (other.decision, other.reason)


app = command_app(review, EXAMPLE)
