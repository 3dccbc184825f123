"""``grader gradebook``: what everything counts."""

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from grader.cli.console import Terminal, out, terminal
from grader.cli.lazy_group import command_app
from grader.cli.paths import relative, require_distinct
from grader.course import gradebook as service
from grader.course.gradebook import Explained
from grader.course.gradebook_document import gradebook_document
from grader.course.rules import course_of
from grader.course.workspace import open_workspace
from grader.model.reason import reason
from grader.report import quantities
from grader.report.files import write_atomically
from grader.report.gradebook import csv_of, json_of
from grader.report.terminal.gradebook import gradebook_table
from grader.report.text import MESSAGE_LIMIT, safe_text

EXAMPLE = "Example: `grader gradebook --section A --csv grades.csv`"


def gradebook(  # noqa: PLR0913 - one parameter per option of the command
    *,
    lab: Annotated[list[str] | None, typer.Option(help="Show only this lab (repeatable).")] = None,
    student: Annotated[list[str] | None, typer.Option(help="Show only this student (repeatable).")] = None,
    section: Annotated[
        list[str] | None, typer.Option(help="Show only students of this section (repeatable).")
    ] = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write it for a spreadsheet.")] = None,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write it for programs.")] = None,
    explain: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="STUDENT LAB", help="Show how this grade comes about, and nothing else."),
    ] = None,
) -> None:
    """Show what each student's work on each lab counts by the rules of the course, and the weighted total."""
    workspace = open_workspace()
    shown = terminal(workspace.config)
    course = course_of(workspace)
    if explain is not None:
        _explain(service.explained(workspace, course, *explain), shown)
        return
    found = gradebook_document(
        service.gradebook(workspace, course, labs=lab or (), students=student or (), sections=section or ())
    )
    files = {name: path for name, path in (("csv", csv), ("json", json)) if path is not None}
    require_distinct(**files)
    if csv is not None:
        write_atomically(csv, csv_of(found))
    if json is not None:
        write_atomically(json, json_of(found))
    out.print(gradebook_table(found, shown.speech))
    if files:
        shown.note(reason("written-together", files=", ".join(map(relative, files.values()))))


def _explain(found: Explained, shown: Terminal) -> None:
    grade, speech = found.grade, shown.speech
    points = quantities.NOTHING if grade.points is None else speech.figure(quantities.points(grade.points))
    most = speech.figure(quantities.points(grade.max_points))
    head = speech.says("grade-counts", student=grade.person, lab=grade.lab, points=points, most=most)
    out.print(Text(safe_text(head), style="bold"))
    for step in (*grade.explanation, *found.remarks):
        out.print(Text(f"  {safe_text(speech(step), MESSAGE_LIMIT)}"))


app = command_app(gradebook, EXAMPLE)
