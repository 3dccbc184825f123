"""``grader grade``: grade a folder of submissions."""

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from grader.cli.console import TERMINAL, note, out, warn
from grader.cli.dropped_submissions import dropped_note
from grader.cli.lazy_group import command_app
from grader.cli.paths import read_submissions, relative, require_distinct
from grader.cli.progress import batch_view
from grader.config.settings import EngineChoice
from grader.course import grade as service
from grader.course.grade import GradeRequest
from grader.course.workspace import open_workspace
from grader.model.report import ResultsDocument
from grader.model.verdict import Verdict
from grader.report import csv_file, results_json
from grader.report.leaderboard import boards, pending_review
from grader.report.pages import class_page
from grader.report.terminal.overview import class_table, leaderboards
from grader.sandbox.choice import TRUST_OPTION

EXAMPLE = "Example: `grader grade submissions --lab row-sum --html week3.html`"

_NOT_GRADABLE = 1


def grade(  # noqa: PLR0913 - one parameter per option of the command
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="A folder of labs, the folder of one lab, or one file.")
    ],
    *,
    lab: Annotated[str | None, typer.Option(help="Grade only this lab.")] = None,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to write results.json.")] = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to write grades.csv.")] = None,
    html_file: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Where to write report.html.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1, max=1024, help="How many submissions to grade at once (default: [jobs] in grader.toml)."
        ),
    ] = None,
    engine: Annotated[EngineChoice | None, typer.Option(help="The engine to run the kernels on.")] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Grade everything again, also what has not changed.")
    ] = False,
    trusted: Annotated[
        bool,
        typer.Option(
            TRUST_OPTION,
            help="Trust all submissions: a sandbox that stops no attack is enough. Reports say so.",
        ),
    ] = False,
) -> int:
    """Grade every submission under PATH that is new or has changed, and write the results of all of them."""
    workspace = open_workspace()
    usual = workspace.config.results_folder / "results.json"
    files = (
        json or usual,
        csv or usual.with_name("grades.csv"),
        html_file or usual.with_name("report.html"),
    )
    require_distinct(json=files[0], csv=files[1], html=files[2])
    for broken in workspace.registry.broken:
        warn(f"lab {broken.name} is broken and skipped: {broken.reason}")
    intake = read_submissions(path, workspace, lab)
    request = GradeRequest(intake=intake, engine=engine, jobs=jobs, fresh=fresh, trusted=trusted)
    document = service.grade(workspace, request, batch_view, TERMINAL)
    _print(document)
    sources = {(s.student, s.lab): s.files for s in intake.submissions}
    replaced = "" if json else dropped_note(usual, document)
    results_json.write(files[0], document)
    csv_file.write(files[1], document.reports)
    class_page.write(files[2], document, sources)
    out.print(Text(f"Written: {', '.join(map(relative, files))}", style="dim"), soft_wrap=True)
    if replaced:
        note(replaced)
    return _NOT_GRADABLE if any(report.verdict is Verdict.NOT_GRADABLE for report in document.reports) else 0


def _print(document: ResultsDocument) -> None:
    out.print(class_table(document.reports))
    if flagged := len(pending_review([document])):
        which = "1 submission waits" if flagged == 1 else f"{flagged} submissions wait"
        note(f"{which} for review by staff: see `grader review`.")
    if found := boards([document]):
        out.print()
        out.print(leaderboards(found))


app = command_app(grade, EXAMPLE)
