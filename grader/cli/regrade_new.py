"""``grader regrade new``: choose the results of a regrade set."""

from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.lazy_group import command_app
from grader.cli.states import states
from grader.course import regrade as service
from grader.course.regrade import RegradeFilter
from grader.course.staff import Staff
from grader.course.workspace import open_workspace
from grader.model.reason import reason
from grader.model.verdict import Verdict

EXAMPLE = 'Example: `grader regrade new --lab row-sum --verdict wrong --because "case odd was too strict"`'


def regrade_new(  # noqa: PLR0913 - one parameter per option of the command
    *,
    lab: Annotated[list[str] | None, typer.Option(help="Only this lab (repeatable).")] = None,
    student: Annotated[list[str] | None, typer.Option(help="Only this student (repeatable).")] = None,
    section: Annotated[
        list[str] | None, typer.Option(help="Only students of this section (repeatable).")
    ] = None,
    verdict: Annotated[
        list[Verdict] | None, typer.Option(help="Only results with this verdict (repeatable).")
    ] = None,
    finding: Annotated[
        list[str] | None,
        typer.Option(metavar="CODE", help="Only results with this kind or code of finding (repeatable)."),
    ] = None,
    only: Annotated[
        str | None,
        typer.Option(metavar="STATES", help="Only what is failed or not-gradable, with commas between."),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Run the kernels again, even where stored facts would do.")
    ] = False,
    because: Annotated[str, typer.Option(metavar="TEXT", help="The reason; for staff.")] = "",
    by: Annotated[
        str, typer.Option(metavar="NAME", help="Who decides (default: the user who is logged in).")
    ] = "",
) -> None:
    """Make a set of the newest results that the options choose. Nothing runs yet, and nothing changes.

    The same set again is the one that is open.
    """
    workspace = open_workspace()
    shown = terminal(workspace.config)
    wanted = RegradeFilter(
        labs=tuple(lab or ()),
        students=tuple(student or ()),
        sections=tuple(section or ()),
        verdicts=tuple(verdict or ()),
        findings=tuple(finding or ()),
        only=states(only) if only else frozenset(),
    )
    made = service.new(workspace, wanted, Staff(because=because, by=by), fresh=fresh)
    count = sum(made.regrade.counts.values())
    code = "regrade-open-already" if made.open_before else "regrade-made"
    shown.note(reason(code, regrade=made.regrade.id, count=count))
    if made.without_files:
        shown.note(reason("regrade-without-files", count=made.without_files))


app = command_app(regrade_new, EXAMPLE)
