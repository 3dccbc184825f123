"""``grader sweep``: time a kernel for several values of a macro or size."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import out, terminal
from grader.cli.lazy_group import command_app
from grader.cli.paths import relative, require_distinct
from grader.course.language import ReportLanguage
from grader.course.sweep import SweepRequest, sweeps
from grader.course.workspace import open_workspace
from grader.errors import UserError
from grader.model.reason import reason
from grader.model.sweep import SweepFigure
from grader.report import sweep_json
from grader.report.pages import sweep_page
from grader.report.terminal.sweep import sweep_table

EXAMPLE = "Example: `grader sweep matmul.cu --lab matmul --over TILE --values 4,8,16,32`"

_NOTHING_TIMED = 1


def sweep_command(  # noqa: PLR0913 - one parameter per option of the command
    path: Annotated[
        Path, typer.Argument(metavar="FILE", help="Your file, a folder with your files, or a rung of a lab.")
    ],
    *,
    lab: Annotated[str | None, typer.Option(help="The lab, if the path does not name it.")] = None,
    over: Annotated[str | None, typer.Option(help="The macro or size to vary.")] = None,
    values: Annotated[str | None, typer.Option(help="The values to try, such as 1,2,4,8.")] = None,
    kernel: Annotated[str | None, typer.Option(help="The kernel, if the lab has several.")] = None,
    shows: Annotated[SweepFigure | None, typer.Option(help="The figure to show for each value.")] = None,
    engine: Annotated[str | None, typer.Option(metavar="ENGINE", help="The engine to run it on.")] = None,
    language: Annotated[
        ReportLanguage | None,
        typer.Option(help="The language of tables and pages (default: the course's, or LANG)."),
    ] = None,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the times as JSON.")] = None,
    html_file: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Also write the times as an HTML page with plots."),
    ] = None,
) -> int:
    """Build, check and time a kernel for each value of a macro or size; show the resources that each needs."""
    require_distinct(json=json, html=html_file)
    request = SweepRequest(
        path=path,
        lab=lab,
        over=over,
        values=_numbers(values),
        kernel=kernel,
        shows=shows,
        engine=engine,
    )
    reports = []
    workspace = open_workspace()
    shown = terminal(workspace.config, language)
    for report in sweeps(workspace, request, shown):
        reports.append(report)
        out.print(sweep_table(report, shown.speech))
    if json is not None:
        sweep_json.write(json, reports)
        shown.note(reason("written", file=relative(json)))
    if html_file is not None:
        sweep_page.write(html_file, reports, shown.speech.language)
        shown.note(reason("written", file=relative(html_file)))
    return 0 if all(report.best is not None for report in reports) else _NOTHING_TIMED


def _numbers(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    try:
        numbers = tuple(dict.fromkeys(int(part) for part in text.split(",")))
    except ValueError:
        msg = f"--values {text!r} is not a list of whole numbers."
        raise UserError(msg, hint="Write whole numbers with commas, such as 1,2,4,8.") from None
    if min(numbers) < 0:
        msg = f"--values {text!r} has a number below 0."
        raise UserError(msg, hint="Use whole numbers from 0 up.")
    return numbers


app = command_app(sweep_command, EXAMPLE)
