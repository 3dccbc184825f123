"""``grader regrade preview``: what a regrade set would change."""

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import RenderableType
from rich.text import Text

from grader.cli.console import out, terminal
from grader.cli.lazy_group import command_app
from grader.cli.regrade import rows_by_state
from grader.course import regrade as service
from grader.course.regrade import Preview
from grader.course.workspace import open_workspace
from grader.messages import Speech
from grader.model.reason import reason
from grader.report.terminal.changes import changes_table
from grader.report.terminal.distribution import crossing_lines, spread_table

EXAMPLE = "Example: `grader regrade preview --boundary 50 --boundary 90`"


def regrade_preview(
    number: Annotated[
        int | None, typer.Argument(metavar="[NUMBER]", help="The set (default: the open one).")
    ] = None,
    *,
    boundary: Annotated[
        list[float] | None,
        typer.Option(
            min=0, max=100, metavar="PERCENT", help="A grade boundary (repeatable; default: the course's)."
        ),
    ] = None,
) -> None:
    """Show what would change: each student before and after with the reason, the spread, and who crosses a boundary.

    Nothing is applied. Decisions of staff hold: an override stays.
    """
    workspace = open_workspace()
    shown = terminal(workspace.config)
    found = service.preview(workspace, number, boundary or ())
    states = tuple(rows_by_state(found.regrade.counts.items()))
    shown.note(reason("regrade-rows", regrade=found.regrade.id, states=states))
    for part in _parts(found, shown.speech):
        out.print(part)


def _parts(found: Preview, speech: Speech) -> Iterator[RenderableType]:
    yield changes_table(found.changes, speech)
    for before, after in zip(found.before, found.after, strict=True):
        yield Text(f"\n{before.lab}", style="bold")
        columns = ((speech.says("column-before"), before.score), (speech.says("column-after"), after.score))
        yield spread_table(columns, speech)
    yield from crossing_lines(found.crossings, speech)
    if found.same:
        yield Text(speech.says("regrade-same", count=found.same))
    if found.superseded:
        yield Text(speech.says("regrade-superseded", count=found.superseded))


app = command_app(regrade_preview, EXAMPLE)
