"""``grader regrade``: regrade sets, from the choice of results to what counts."""

from collections.abc import Iterable, Mapping
from typing import ClassVar

import typer
from rich.text import Text

from grader.cli.console import out, terminal
from grader.cli.lazy_group import LazyGroup
from grader.course import regrade as service
from grader.course.workspace import open_workspace
from grader.model.reason import Reason, reason
from grader.report.quantities import moment
from grader.report.terminal.overview import plain_table
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text


class _Commands(LazyGroup):
    modules: ClassVar[Mapping[str, str]] = {
        "new": "grader.cli.regrade_new",
        "run": "grader.cli.regrade_run",
        "preview": "grader.cli.regrade_preview",
        "apply": "grader.cli.regrade_apply",
        "discard": "grader.cli.regrade_discard",
    }


app = typer.Typer(
    help="Regrade sets: choose, run, preview, apply or discard.",
    cls=_Commands,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)

_HEADINGS = ("column-number", "column-when", "column-by", "column-because", "column-rows")

_STATES = {
    "waiting": "rows-waiting",
    "proposed": "rows-proposed",
    "unchanged": "rows-unchanged",
    "applied": "rows-applied",
    "discarded": "rows-discarded",
    "superseded": "rows-superseded",
}


@app.callback(invoke_without_command=True, epilog="Example: `grader regrade`")
def regrade(context: typer.Context) -> None:
    """List the regrade sets, with the state of their rows."""
    if context.invoked_subcommand is not None:
        return
    workspace = open_workspace()
    shown = terminal(workspace.config)
    found = service.regrades(workspace)
    if not found:
        shown.note(reason("no-regrades"))
        return
    table = plain_table()
    for code in _HEADINGS:
        table.add_column(shown.speech.says(code), overflow="fold")
    for each in found:
        states = reason("rows-by-state", states=tuple(rows_by_state(each.counts.items())))
        table.add_row(
            str(each.id),
            moment(each.created_at.isoformat(timespec="seconds"), shown.speech.language),
            Text(safe_name(each.who)),
            Text(safe_text(each.why, MESSAGE_LIMIT)),
            Text(shown.speech(states)),
        )
    out.print(table)


def rows_by_state(counts: Iterable[tuple[str, int]]) -> Iterable[Reason]:
    """How many rows there are in each state."""
    return (reason(_STATES[state], count=count) for state, count in sorted(counts))
