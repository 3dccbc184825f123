"""``grader grade``: grade a folder of submissions."""

import threading
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from grader.cli.console import err, note, out, warn
from grader.cli.dropped_submissions import dropped_note
from grader.cli.environment import open_environment
from grader.cli.lazy_group import command_app
from grader.cli.paths import read_submissions, relative, require_distinct
from grader.cli.progress import batch_view
from grader.cli.report_store import ReportStore
from grader.cli.results_document import results_document
from grader.cli.workspace import Workspace, open_workspace
from grader.config.settings import EngineChoice
from grader.grading.batch import Batch
from grader.grading.environment import GradingEnvironment
from grader.grading.submission import not_graded
from grader.intake import Intake, Rejected
from grader.labs.registry import Registry
from grader.model.report import Report, ResultsDocument
from grader.model.run import Fault
from grader.model.submission import Submission
from grader.model.verdict import Verdict
from grader.report import csv_file, results_json
from grader.report.leaderboard import boards, pending_review
from grader.report.pages import class_page
from grader.report.quantities import isolation_text
from grader.report.summary import ordered
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
    cancelled = threading.Event()
    with open_environment(workspace, engine, cancelled, trusted=trusted) as environment:
        batch = Batch(
            workspace.registry.labs,
            environment,
            jobs or workspace.config.jobs.resolved(environment.engine),
            cancelled,
        )
        reports = _graded(workspace, intake, environment, batch, fresh=fresh)
    refused = [_refused(rejected, workspace.registry) for rejected in intake.rejected]
    document = results_document(environment.engine_info, ordered([*reports, *refused]))
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


def _graded(
    workspace: Workspace, intake: Intake, environment: GradingEnvironment, batch: Batch, *, fresh: bool
) -> list[Report]:
    """Every submission's report: stored ones, and new ones for what is new or has changed."""
    with ReportStore(workspace, environment.engine_info, environment.isolation) as store:
        known = {} if fresh else store.known(intake.submissions)
        todo = [submission for submission in intake.submissions if _name(submission) not in known]
        _announce(environment, len(known), len(todo))
        reports = list(known.values())
        if todo:
            with batch_view(err) as view:
                reports += [store.decided(graded) for graded in batch.run(todo, store.keep, view.show)]
    return reports


def _announce(environment: GradingEnvironment, known: int, todo: int) -> None:
    info = environment.engine_info
    engine = (
        f"on the emulator (as a {info.device}; speedups are modelled)"
        if info.kind == "emulator"
        else f"on {info.device}"
    )
    unchanged = f"{known} unchanged since they were last graded, " if known else ""
    note(f"{unchanged}{todo} to grade {engine}, {isolation_text(environment.isolation)}")


def _refused(rejected: Rejected, registry: Registry) -> Report:
    submission = Submission(
        student=rejected.student, lab=rejected.lab, language=rejected.language, files=(), path=rejected.path
    )
    rubric = registry.get(rejected.lab).manifest.rubric
    return not_graded(submission, Fault(verdict=rejected.verdict, reason=rejected.reason), rubric.max_score)


def _print(document: ResultsDocument) -> None:
    out.print(class_table(document.reports))
    if flagged := len(pending_review([document])):
        which = "1 submission waits" if flagged == 1 else f"{flagged} submissions wait"
        note(f"{which} for review by staff: see `grader review`.")
    if found := boards([document]):
        out.print()
        out.print(leaderboards(found))


def _name(submission: Submission) -> tuple[str, str]:
    return submission.student, submission.lab


app = command_app(grade, EXAMPLE)
