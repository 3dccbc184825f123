"""``grader serve``: the course in a browser, with workers beside it."""

import contextlib
import os
from importlib.util import find_spec
from typing import Annotated

import typer
from rich.text import Text

from grader.cli.console import Terminal, out, terminal
from grader.cli.lazy_group import command_app
from grader.cli.serve_workers import WorkersBeside
from grader.course.accounts.links import invite_first_instructor
from grader.course.workspace import Workspace, open_workspace
from grader.errors import UserError
from grader.execution.starter import start_processes
from grader.model.reason import reason

EXAMPLE = "Example: `grader serve`"

_APP = "grader.portal.app:app_here"
"""The name of the application: server processes import it, and the command line knows no page."""

_NEEDED = ("uvicorn", "starlette", "multipart", "sse_starlette", "authlib", "argon2")
_SHUTDOWN_SECONDS = 5


def serve(
    context: typer.Context,
    *,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen at.")] = 8000,
    processes: Annotated[
        int, typer.Option(min=1, max=64, help="Server processes; more than one need PostgreSQL to be of use.")
    ] = 1,
    workers: Annotated[
        bool, typer.Option("--workers/--no-workers", help="Also grade what is in the queue.")
    ] = True,
) -> None:
    """Serve the portal of the course here until Ctrl-C. The first instructor gets a link that signs in once."""
    _require_server()
    workspace = open_workspace()
    shown = terminal(workspace.config)
    _print_first_link(workspace, shown)
    shown.note(reason("portal-served", url=workspace.config.portal.url, host=host, port=port))
    _tell_processes(context)
    with WorkersBeside() if workers else contextlib.nullcontext():
        _run(workspace, host, port, processes)


def _tell_processes(context: typer.Context) -> None:
    """Let the processes that start log as this one, and end with it."""
    root = context.find_root().params
    os.environ.update(GRADER_LOG_LEVEL=root["log_level"], GRADER_LOG_FORMAT=root["log_format"])
    start_processes()


def _require_server() -> None:
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        msg = f"The portal needs Python packages that are not installed: {', '.join(missing)}."
        raise UserError(msg, hint="Install them: pip install 'grader[server]'")


def _print_first_link(workspace: Workspace, shown: Terminal) -> None:
    link = invite_first_instructor(workspace)
    if link is not None:
        shown.note(reason("portal-first-link", until=link.expires_at.isoformat()))
        out.print(Text(link.url(workspace.config.portal.url)), soft_wrap=True)


def _run(workspace: Workspace, host: str, port: int, processes: int) -> None:
    import uvicorn  # noqa: PLC0415 - belongs to the extra `server`

    proxies = workspace.config.portal.trusted_proxies
    uvicorn.run(
        _APP,
        factory=True,
        host=host,
        port=port,
        workers=processes,
        # The portal writes its own log, which holds no address.
        access_log=False,
        log_level="warning",
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
    )


app = command_app(serve, EXAMPLE)
