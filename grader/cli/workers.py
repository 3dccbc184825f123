"""``grader workers``: who is there; start, stop and join workers."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from grader.cli.console import Terminal, out, terminal
from grader.cli.finished_jobs import show_finished
from grader.course import workers as service
from grader.course.dispatch import DispatchRequest, dispatch
from grader.course.dispatch import stop as ask_to_stop
from grader.course.workers import JoinRequest
from grader.course.workspace import open_workspace
from grader.execution.starter import end_with_starter
from grader.model.needs import ComputeDevice
from grader.model.reason import reason
from grader.report.quantities import moment
from grader.report.terminal.overview import plain_table
from grader.report.text import safe_text

_STOP = "`grader workers stop`"

_HEADINGS = ("column-worker", "column-host", "column-device", "column-since", "column-job")

app = typer.Typer(
    help="List the workers that grade what is in the queue; start and stop them.",
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)

_Devices = Annotated[
    list[str] | None,
    typer.Option(
        "--devices", help="A part of the id or model of a device of this host, or cpu (repeatable)."
    ),
]


@app.callback(invoke_without_command=True, epilog="Example: `grader workers`")
def workers(context: typer.Context) -> None:
    """List every worker: its host and device, since when it is there, and what it runs."""
    if context.invoked_subcommand is not None:
        return
    workspace = open_workspace()
    shown = terminal(workspace.config)
    found = service.workers(workspace)
    if not found:
        shown.note(reason("no-workers", command="`grader workers start`"))
        return
    speech = shown.speech
    table = plain_table()
    for code in _HEADINGS:
        table.add_column(speech.says(code), overflow="fold")
    for worker in found:
        runs = speech.says("worker-idle") if worker.job is None else str(worker.job)
        if worker.set_aside:
            runs = speech.says("worker-set-aside", why=worker.set_aside)
        device = " ".join(filter(None, (worker.device.model, worker.device.id)))
        cells = (worker.name, worker.host, device, moment(worker.since.isoformat(), speech.language), runs)
        table.add_row(*(Text(safe_text(cell)) for cell in cells))
    out.print(table)


@app.command(epilog="Example: `grader workers start --devices H100`")
def start(
    *,
    executor: Annotated[
        str | None,
        typer.Option(metavar="EXECUTOR", help="The executor (default: [execution] in grader.toml)."),
    ] = None,
    provider: Annotated[
        str | None,
        typer.Option(metavar="PROVIDER", help="What starts workers: local, slurm, pbs, kubernetes or hand."),
    ] = None,
    devices: _Devices = None,
    until_empty: Annotated[
        bool, typer.Option("--until-empty", help="End when no job waits that the devices can run.")
    ] = False,
) -> int:
    """Serve the queue: start workers as jobs come, record their results, and end idle workers."""
    end_with_starter()
    workspace = open_workspace()
    shown = terminal(workspace.config)
    outcome = dispatch(
        workspace,
        DispatchRequest(
            executor=executor, provider=provider, devices=tuple(devices or ()), until_empty=until_empty
        ),
        partial(show_finished, shown),
        lambda used: _started(shown, used),
    )
    shown.note(reason("jobs-served", recorded=outcome.recorded, failed=outcome.failed))
    if outcome.left:
        shown.note(reason("jobs-left", count=outcome.left, command="`grader queue list`"))
    return 1 if outcome.failed else 0


@app.command(epilog="Example: `grader workers stop`")
def stop() -> None:
    """Ask the dispatcher of this store to end when its running jobs are done."""
    workspace = open_workspace()
    there = ask_to_stop(workspace)
    terminal(workspace.config).note(reason("workers-stopping" if there else "no-dispatcher"))


@app.command(epilog="Example: `grader workers key gpu-2 keys-for-gpu-2`")
def key(
    host: Annotated[str, typer.Argument(metavar="HOST", help="The name of the host.")],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new folder for its key.")],
) -> None:
    """Make the key with which the workers of a host connect."""
    workspace = open_workspace()
    written = service.make_key(workspace, host, folder)
    settings = workspace.config.execution
    command = f"`grader workers join {settings.address or 'ADDRESS'} --keys FOLDER`"
    terminal(workspace.config).note(reason("key-written", folder=str(written), host=host, command=command))


@app.command(epilog="Example: `grader workers join grader.example.edu --keys keys-for-gpu-2`")
def join(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="The server's address.")],
    *,
    keys: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder with this host's key.")],
    port: Annotated[
        int | None, typer.Option(help="The server's port (default: [execution] port in grader.toml).")
    ] = None,
    devices: _Devices = None,
) -> None:
    """Run workers on this host for the queue of a server, until they are ended."""
    service.join(
        open_workspace(),
        JoinRequest(address=address, port=port, keys=keys, devices=tuple(devices or ())),
    )


def _started(shown: Terminal, devices: Sequence[ComputeDevice]) -> None:
    if devices:
        shown.note(reason("workers-serve", count=len(devices), command=_STOP))
    else:
        shown.note(reason("workers-elsewhere", command=_STOP))
