"""``grader show``: the latest report of one submission."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import note, out
from grader.cli.lazy_group import command_app
from grader.cli.report_store import ReportStore
from grader.cli.workspace import Workspace, open_workspace
from grader.errors import UserError
from grader.intake import collect
from grader.model.submission import SourceFile
from grader.report.terminal.submission import single_report
from grader.store.port import GradedRecord

EXAMPLE = "Example: `grader show student-01 row-sum`"


def show(
    student: Annotated[str, typer.Argument(metavar="STUDENT", help="The student.")],
    lab: Annotated[str, typer.Argument(metavar="LAB", help="The lab.")],
    *,
    lines: Annotated[
        bool, typer.Option("--lines", help="Also show what each line of the source executed.")
    ] = False,
) -> None:
    """Show the latest report of one submission, with its source lines if the file is unchanged."""
    workspace = open_workspace()
    workspace.registry.get(lab)
    with ReportStore(workspace) as store:
        record = store.latest(student, lab)
    sources = _sources(workspace, record)
    if not sources:
        note(f"{record.report.file} has changed or is gone since it was graded, so its lines are not shown.")
    out.print(single_report(record.report, record.key.engine, sources, lines=lines))


def _sources(workspace: Workspace, record: GradedRecord) -> tuple[SourceFile, ...]:
    """The graded files, if they are unchanged: the store keeps their digest and no copy."""
    limits = workspace.config.limits
    try:
        found = collect(
            Path(record.report.file), labs=workspace.registry.labs, lab=record.key.lab, limits=limits
        )
    except UserError:
        return ()
    return next((s.files for s in found.submissions if s.digest == record.key.submission), ())


app = command_app(show, EXAMPLE)
