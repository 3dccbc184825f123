"""``grader review``: flagged submissions, and the decisions of staff about them."""

from collections.abc import Sequence
from typing import Annotated

import typer

from grader.cli.console import Terminal, out, terminal
from grader.cli.lazy_group import command_app
from grader.course import decide
from grader.course.staff import Staff
from grader.course.workspace import open_workspace
from grader.errors import UserError
from grader.model.reason import reason
from grader.model.review import Decision, FlaggedWork
from grader.report import quantities
from grader.report.terminal.review import decisions, flagged_list

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
    shown = terminal(workspace.config)
    if student is None:
        _list(decide.flagged(workspace), shown)
        return
    if lab is None:
        msg = "The lab is missing."
        raise UserError(msg, hint=f"Run `grader review {student} LAB`.")
    if clear and confirm:
        msg = "--clear and --confirm exclude each other."
        raise UserError(msg, hint="Use one of them.")
    if not clear and not confirm:
        found = decide.flagged_of(workspace, student, lab)
        out.print(decisions(found, shown.speech))
        return
    outcome = Decision.CLEARED if clear else Decision.CONFIRMED
    decided = decide.review(workspace, student, lab, outcome, Staff(because=because, by=by))
    what = quantities.decision_note(decided)
    shown.note(reason("student-on-lab", student=student, lab=lab, what=what))


def _list(found: Sequence[FlaggedWork], shown: Terminal) -> None:
    undecided = [work for work in found if not work.reviews]
    if undecided:
        out.print(flagged_list(undecided, shown.speech))
    else:
        shown.note(reason("nothing-to-review"))
    for work in found:
        if work.reviews:
            out.print(decisions(work, shown.speech))


app = command_app(review, EXAMPLE)
