"""``grader queue``: submit to the queue, list it, and change what waits."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from grader.cli.console import out, terminal
from grader.cli.submissions import read_submissions
from grader.course import queue as service
from grader.course.queue import LANES, STATES, QueueRequest
from grader.course.select import Selection
from grader.course.workspace import open_workspace
from grader.errors import UserError
from grader.model.reason import reason
from grader.report.quantities import moment
from grader.report.terminal.overview import plain_table
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text
from grader.sandbox.choice import TRUST_OPTION

app = typer.Typer(
    help="Submit to the queue, list it, and change what waits.",
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)

_STATE_CODES = {
    "waiting": "job-waiting",
    "running": "job-running",
    "done": "job-done",
    "failed": "job-failed",
    "cancelled": "job-cancelled",
    "superseded": "job-superseded",
}

_LIST_HEADINGS = (
    *("column-job", "column-student", "column-lab", "column-lane"),
    *("column-state", "column-attempts", "column-needs"),
)

_Jobs = Annotated[list[int], typer.Argument(metavar="JOB", help="The numbers of the jobs.")]


@app.command(epilog="Example: `grader queue submit submissions --lane class --device H100`")
def submit(  # noqa: PLR0913 - one parameter per option of the command
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="A folder of labs, the folder of one lab, or one file.")
    ],
    *,
    lab: Annotated[list[str] | None, typer.Option(help="Submit only for this lab (repeatable).")] = None,
    student: Annotated[
        list[str] | None, typer.Option(help="Submit only for this student (repeatable).")
    ] = None,
    lane: Annotated[str, typer.Option(help="The lane: interactive, staff or class.")] = "class",
    engine: Annotated[
        str | None, typer.Option(metavar="ENGINE", help="The engine to run the kernels on.")
    ] = None,
    device: Annotated[
        str, typer.Option(metavar="MODEL", help="Run every job on a device of this model, such as H100.")
    ] = "",
    not_before: Annotated[
        datetime | None, typer.Option(help="Start no job before this time, in the zone of this host.")
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Submit everything, also what has a result already.")
    ] = False,
    trusted: Annotated[
        bool,
        typer.Option(
            TRUST_OPTION,
            help="Trust all submissions: a sandbox that stops no attack is enough. Reports say so.",
        ),
    ] = False,
) -> None:
    """Put every submission under PATH into the queue; `grader workers start` grades them."""
    if lane not in LANES:
        msg = f"There is no lane {lane!r}."
        raise UserError(msg, hint=f"Use {', '.join(LANES)}.")
    workspace = open_workspace()
    shown = terminal(workspace.config)
    selection = Selection(labs=tuple(lab or ()), students=tuple(student or ()))
    queued = service.submit(
        workspace,
        QueueRequest(
            intake=read_submissions(path, workspace, selection, shown),
            lane=LANES[lane],
            engine=engine,
            device=device,
            not_before=None if not_before is None else not_before.astimezone(),
            fresh=fresh,
            trusted=trusted,
        ),
    )
    shown.note(reason("jobs-queued", count=len(queued.jobs)))
    if queued.unchanged:
        shown.note(reason("jobs-unchanged", count=queued.unchanged))


@app.command("list", epilog="Example: `grader queue list --state failed`")
def list_jobs(
    *,
    state: Annotated[
        list[str] | None,
        typer.Option(help="Only jobs in this state (repeatable; default: waiting, running, failed)."),
    ] = None,
    lab: Annotated[str | None, typer.Option(help="Only those for this lab.")] = None,
    student: Annotated[str | None, typer.Option(help="Only those of this student.")] = None,
) -> None:
    """List jobs in the order in which they run."""
    unknown = [word for word in state or () if word not in STATES]
    if unknown:
        msg = f"There is no state {unknown[0]!r}."
        raise UserError(msg, hint=f"Use {', '.join(STATES)}.")
    workspace = open_workspace()
    shown = terminal(workspace.config)
    found = service.listed(workspace, [STATES[word] for word in state or ()], lab, student)
    if not found:
        shown.note(reason("queue-empty"))
        return
    table = plain_table()
    for code in _LIST_HEADINGS:
        table.add_column(shown.speech.says(code), overflow="fold")
    for job in found:
        cells = (
            str(job.id),
            safe_name(job.key.student),
            safe_name(job.key.lab),
            job.lane.name.lower(),
            shown.speech.says(_STATE_CODES[job.state]),
            str(job.attempts),
            safe_text(job.needs.text()),
        )
        table.add_row(*map(Text, cells))
    out.print(table)


@app.command(epilog="Example: `grader queue show 17`")
def show(job: Annotated[int, typer.Argument(metavar="JOB", help="The number of the job.")]) -> None:
    """Show where a job stands, when it may be done, and what happened to it."""
    workspace = open_workspace()
    speech = terminal(workspace.config).speech
    details = service.details(workspace, job)
    found, place = details.job, details.place
    state = speech.says(_STATE_CODES[found.state])
    lines = [speech.says("job-is", job=job, student=found.key.student, lab=found.key.lab, state=state)]
    if place is not None:
        lines.append(speech.says("job-place", job=job, ahead=place.ahead))
        lines.append(
            speech.says("no-estimate")
            if place.seconds is None
            else speech.says("job-estimate", seconds=place.seconds)
        )
    if found.why:
        lines.append(speech.says("job-why", why=found.why))
    for line in lines:
        out.print(Text(safe_text(line)), soft_wrap=True)
    table = plain_table()
    for code in ("column-when", "column-event", "column-because"):
        table.add_column(speech.says(code), overflow="fold")
    for event in details.events:
        table.add_row(
            moment(event.at.isoformat(), speech.language),
            event.kind.value,
            Text(safe_text(event.detail, MESSAGE_LIMIT)),
        )
    out.print(table)


@app.command(epilog="Example: `grader queue cancel 17 18`")
def cancel(jobs: _Jobs) -> None:
    """End jobs that wait, run or have failed; a result that still comes is discarded."""
    workspace = open_workspace()
    shown = terminal(workspace.config)
    left = service.cancel(workspace, jobs)
    for job in left:
        shown.note(reason("job-had-ended", job=job))
    shown.note(reason("jobs-cancelled", count=len(jobs) - len(left)))


@app.command(epilog="Example: `grader queue retry 17`")
def retry(jobs: _Jobs) -> None:
    """Let jobs that failed or were cancelled wait again."""
    workspace = open_workspace()
    shown = terminal(workspace.config)
    left = service.retry(workspace, jobs)
    for job in left:
        shown.note(reason("job-not-ended", job=job))
    shown.note(reason("jobs-retried", count=len(jobs) - len(left)))
