"""``grader grade``: grade a folder of submissions."""

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from grader.cli.console import TERMINAL, note, out, warn
from grader.cli.lazy_group import command_app
from grader.cli.paths import read_submissions, relative, require_distinct
from grader.cli.progress import batch_view
from grader.cli.signals import exit_code
from grader.course import grade as service
from grader.course.grade import GradeOutcome, GradeRequest
from grader.course.language import spoken
from grader.course.results import ResultFiles
from grader.course.select import Only, Selection
from grader.course.workspace import open_workspace
from grader.errors import UserError
from grader.model.verdict import Verdict
from grader.report.leaderboard import boards, pending_review
from grader.report.terminal.overview import class_table, leaderboards
from grader.sandbox.choice import TRUST_OPTION

EXAMPLE = "Example: `grader grade submissions --lab row-sum --html week3.html`"

_NOT_GRADABLE = 1


def grade(  # noqa: PLR0913 - one parameter per option of the command
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="A folder of labs, the folder of one lab, or one file.")
    ],
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

    The files in the folder of results hold the whole course; a file that you name holds what is under PATH.
    """
    workspace = open_workspace()
    selection = Selection(
        labs=tuple(lab or ()), students=tuple(student or ()), only=_states(only) if only else frozenset()
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
        warn(f"lab {broken.name} is broken and skipped: {broken.reason}")
    intake = read_submissions(path, workspace, selection)
    request = GradeRequest(
        intake=intake, selection=selection, engine=engine, jobs=jobs, fresh=fresh, trusted=trusted
    )
    outcome = service.grade(workspace, request, batch_view, TERMINAL)
    # The files come first: a closed terminal or a reader who leaves must not cost any.
    files.write(outcome.run, outcome.course)
    _print(outcome, files)
    if outcome.stopped is not None:
        return exit_code(outcome.stopped)
    reports = outcome.run.document.reports
    return _NOT_GRADABLE if any(report.verdict is Verdict.NOT_GRADABLE for report in reports) else 0


def _states(only: str) -> frozenset[Only]:
    try:
        return frozenset(Only(word.strip()) for word in only.split(","))
    except ValueError:
        msg = f"--only {only!r} is not a list of states."
        raise UserError(msg, hint=f"Use {', '.join(Only)}, with commas between several.") from None


def _print(outcome: GradeOutcome, files: ResultFiles) -> None:
    run, course = outcome.run.document, outcome.course.document
    out.print(class_table(run.reports))
    if flagged := len(pending_review([run])):
        which = "1 submission waits" if flagged == 1 else f"{flagged} submissions wait"
        note(f"{which} for review by staff: see `grader review`.")
    if found := boards([run]):
        out.print()
        out.print(leaderboards(found))
    written = ", ".join(relative(path) for path in files.paths.values())
    out.print(Text(f"Written: {written}", style="dim"), soft_wrap=True)
    if len(course.reports) > len(run.reports):
        note(f"Files in {relative(files.folder)} hold all {len(course.reports)} results of the course.")
    if outcome.elsewhere:
        note(f"{outcome.elsewhere} graded by another grader on the same store.")
    if outcome.pruned:
        note(f"{outcome.pruned} older results removed from the store, as [store] keep asks.")
    if outcome.stopped is not None:
        note(f"stopped: {outcome.graded} graded, {outcome.left} left; run again to continue")


app = command_app(grade, EXAMPLE)
