"""``grader grade``: grade a folder of submissions."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from grader.cli.console import Terminal, out, terminal
from grader.cli.finished_jobs import show_finished
from grader.cli.lazy_group import command_app
from grader.cli.paths import relative, require_distinct
from grader.cli.progress import batch_view
from grader.cli.signals import exit_code
from grader.cli.states import states
from grader.cli.submissions import read_submissions, received_submissions
from grader.course import grade as service
from grader.course.grade import GradeOutcome, GradeRequest
from grader.course.language import spoken
from grader.course.results import ResultFiles
from grader.course.select import Selection
from grader.course.workspace import Workspace, open_workspace
from grader.errors import UserError
from grader.intake import Intake
from grader.model.reason import reason
from grader.model.verdict import Verdict
from grader.report.leaderboard import boards, pending_review
from grader.report.terminal.overview import class_table, leaderboards
from grader.sandbox.choice import TRUST_OPTION

EXAMPLE = "Example: `grader grade submissions --lab row-sum --html week3.html`"

_NOT_GRADABLE = 1


def grade(  # noqa: PLR0913 - one parameter per option of the command
    path: Annotated[
        Path | None,
        typer.Argument(
            metavar="PATH",
            help="A folder of labs, the folder of one lab, or one file; without it, what was imported.",
        ),
    ] = None,
    *,
    lab: Annotated[list[str] | None, typer.Option(help="Grade only this lab (repeatable).")] = None,
    student: Annotated[list[str] | None, typer.Option(help="Grade only this student (repeatable).")] = None,
    only: Annotated[
        str | None,
        typer.Option(
            metavar="STATES", help="Grade only what is failed, not-gradable or changed, with commas between."
        ),
    ] = None,
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
    engine: Annotated[
        str | None, typer.Option(metavar="ENGINE", help="The engine to run the kernels on.")
    ] = None,
    executor: Annotated[
        str | None,
        typer.Option(
            metavar="EXECUTOR",
            help="Grade through the queue on the devices of this executor (default: [execution] in grader.toml).",
        ),
    ] = None,
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
    """Grade every submission under PATH that is new or has changed, and write the results of the course.

    Without PATH, grade what the store holds: each student's newest attempt, and earlier ones that have no result. The
    files in the folder of results hold the whole course; a file that you name holds what this run was about.
    """
    workspace = open_workspace()
    shown = terminal(workspace.config)
    selection = Selection(
        labs=tuple(lab or ()), students=tuple(student or ()), only=states(only) if only else frozenset()
    )
    files = ResultFiles(
        folder=workspace.config.results_folder,
        json=json,
        csv=csv,
        html=html_file,
        language=spoken(None, workspace.config, terminal=False).language,
    )
    require_distinct(**files.paths)
    for broken in workspace.registry.broken:
        shown.warn(reason("lab-skipped", lab=broken.name, why=broken.reason))
    request = GradeRequest(
        intake=Intake(submissions=()),
        selection=selection,
        engine=engine,
        jobs=jobs,
        fresh=fresh,
        trusted=trusted,
    )
    if path is None:
        work = received_submissions(workspace, selection, shown)
        request = replace(request, intake=work.intake, earlier=work.earlier, is_stored=True)
    else:
        request = replace(request, intake=read_submissions(path, workspace, selection, shown))
    outcome = _graded(workspace, request, executor or workspace.config.execution.executor, shown)
    # The files come first: a closed terminal or a reader who leaves must not cost any.
    files.write(outcome.run, outcome.course)
    _print(outcome, files, shown)
    if outcome.stopped is not None:
        return exit_code(outcome.stopped)
    reports = outcome.run.document.reports
    is_whole = not outcome.left and all(report.verdict is not Verdict.NOT_GRADABLE for report in reports)
    return 0 if is_whole else _NOT_GRADABLE


def _graded(workspace: Workspace, request: GradeRequest, executor: str, shown: Terminal) -> GradeOutcome:
    """Grade here, or on the devices of ``executor``."""
    if not executor:
        return service.grade(workspace, request, partial(batch_view, shown), shown)
    if request.jobs is not None:
        msg = "--jobs is for grading without an executor."
        raise UserError(msg, hint="Set slots in [execution] of grader.toml.")
    from grader.course.grade_queued import grade_queued  # noqa: PLC0415 - loads the executors

    executed = grade_queued(workspace, request, executor, partial(show_finished, shown), shown)
    for job in executed.unfinished:
        shown.warn(reason("job-without-result", job=job.id, student=job.key.student, lab=job.key.lab))
    return executed.outcome


def _print(outcome: GradeOutcome, files: ResultFiles, shown: Terminal) -> None:
    run, course = outcome.run.document, outcome.course.document
    out.print(class_table(run.reports, shown.speech))
    if flagged := len(pending_review([run])):
        shown.note(reason("waits-for-review", count=flagged, command="`grader review`"))
    if found := boards([run]):
        out.print()
        out.print(leaderboards(found, speech=shown.speech))
    written = ", ".join(relative(path) for path in files.paths.values())
    line = shown.speech.says("written-together", files=written)
    out.print(Text(line, style="dim"), soft_wrap=True)
    if len(course.reports) > len(run.reports):
        whole = len(course.reports)
        shown.note(reason("files-hold-course", folder=relative(files.folder), count=whole))
    for said in outcome.former:
        shown.warn(said)
    if outcome.elsewhere:
        shown.note(reason("graded-elsewhere", count=outcome.elsewhere))
    if outcome.pruned:
        shown.note(reason("results-pruned", count=outcome.pruned))
    if outcome.stopped is not None:
        shown.note(reason("run-stopped", graded=outcome.graded, left=outcome.left))


app = command_app(grade, EXAMPLE)
