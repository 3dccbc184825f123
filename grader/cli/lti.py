"""``grader lti``: register at a course system that speaks LTI, and exchange roster and grades with it."""

import json
from typing import Annotated

import typer
from rich.text import Text

from grader.cli.console import Terminal, out, terminal
from grader.cli.imported_roster import print_import
from grader.course.lti import members, pushing, registering
from grader.course.lti.addresses import launch_url, tool_addresses
from grader.course.lti.client import lti_client
from grader.course.lti.registering import NewPlatform, Registered
from grader.course.workspace import open_workspace
from grader.model.reason import reason
from grader.report.terminal.overview import plain_table
from grader.report.text import safe_text

app = typer.Typer(
    help="Register at a course system that speaks LTI 1.3, and exchange roster and grades with it.",
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)

_HEADINGS = ("column-course-system", "column-client", "column-deployments", "column-courses")


@app.command(
    epilog="Example: `grader lti register https://moodle.example.edu --client oZ4Kf2 --deployment 1 "
    "--login https://moodle.example.edu/mod/lti/auth.php --token https://moodle.example.edu/mod/lti/token.php "
    "--keys https://moodle.example.edu/mod/lti/certs.php`"
)
def register(  # noqa: PLR0913 - one parameter per option of the command
    issuer: Annotated[str, typer.Argument(metavar="ISSUER", help="What the system calls itself (issuer).")],
    *,
    client: Annotated[str, typer.Option(metavar="ID", help="The client id that it gave Grader.")],
    login: Annotated[str, typer.Option(metavar="URL", help="Its address for authentication requests.")],
    token: Annotated[str, typer.Option(metavar="URL", help="Its address for access tokens.")],
    keys: Annotated[str, typer.Option(metavar="URL", help="Its address for public keys.")],
    deployment: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="A deployment id to accept (repeatable).")
    ] = None,
    audience: Annotated[
        str, typer.Option(metavar="TEXT", help="The audience of its tokens (default: the token address).")
    ] = "",
    course: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="The id of a course there to connect with this one (repeatable)."),
    ] = None,
) -> None:
    """Register a course system, or change its addresses; known deployments and keys stay."""
    workspace = open_workspace()
    shown = terminal(workspace.config)
    asked = NewPlatform(
        issuer=issuer,
        client_id=client,
        login_url=login,
        token_url=token,
        keys_url=keys,
        audience=audience,
        deployments=tuple(deployment or ()),
    )
    made = registering.register(workspace, asked, tuple(course or ()))
    shown.note(reason("lti-registered", issuer=issuer))
    for name, url in tool_addresses(workspace).items():
        out.print(Text(f"{name}: {url}"), soft_wrap=True)
    if not made.contexts:
        shown.note(reason("lti-not-connected"))


@app.command("list", epilog="Example: `grader lti list`")
def list_systems() -> None:
    """List the registered course systems and their courses that are connected."""
    workspace = open_workspace()
    shown = terminal(workspace.config)
    found = registering.registered(workspace)
    if not found:
        shown.note(reason("lti-none", command="`grader lti register`"))
        return
    table = plain_table()
    for code in _HEADINGS:
        table.add_column(shown.speech.says(code), overflow="fold")
    for each in found:
        table.add_row(*(Text(safe_text(cell)) for cell in _cells(each)))
    out.print(table)


@app.command(epilog="Example: `grader lti roster --dry-run`")
def roster(
    *,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Store nothing; show what would change.")
    ] = False,
) -> None:
    """Import the students of the connected courses; staff are no part of the roster."""
    workspace = open_workspace()
    shown = terminal(workspace.config)
    for each in members.import_members(workspace, lti_client(), dry_run=dry_run):
        shown.note(reason("lti-roster-of", title=each.title))
        print_import(each.imported, shown, dry_run=dry_run)


@app.command(epilog="Example: `grader lti push --retry`")
def push(
    *,
    retry: Annotated[
        bool, typer.Option("--retry", help="Send at once what waits after a failure or was refused.")
    ] = False,
    compare: Annotated[
        bool, typer.Option("--compare", help="Send nothing; name the grades that a column shows otherwise.")
    ] = False,
) -> int:
    """Send the grades that count to the columns of the course system, where they differ from what was sent."""
    workspace = open_workspace()
    shown = terminal(workspace.config)
    if compare:
        return _compare(shown, pushing.compare(workspace, lti_client()))
    done = pushing.push(workspace, lti_client(), launch_url(workspace), retry=retry)
    counts = {name: getattr(done, name) for name in ("sent", "failed", "refused", "waiting")}
    shown.note(reason("lti-sent", **counts))
    return 1 if done.failed or done.refused else 0


@app.command(epilog="Example: `grader lti keys --rotate`")
def keys(
    *,
    rotate: Annotated[
        bool, typer.Option("--rotate", help="Publish a new key, which signs after a day.")
    ] = False,
) -> None:
    """Print the public keys of Grader as a JSON Web Key Set, as course systems read them."""
    workspace = open_workspace()
    if rotate:
        count = registering.rotate_keys(workspace)
        terminal(workspace.config).note(reason("lti-keys-rotated", count=count))
    typer.echo(json.dumps(registering.published_keys(workspace), indent=2))


def _cells(each: Registered) -> tuple[str, ...]:
    platform = each.platform
    courses = (context.title or context.context for context in each.contexts)
    return (platform.issuer, platform.client_id, ", ".join(platform.deployments), ", ".join(courses))


def _compare(shown: Terminal, differences: tuple[pushing.Difference, ...]) -> int:
    if not differences:
        shown.note(reason("lti-same"))
        return 0
    for each in differences:
        there = reason("lti-empty") if each.shown is None else f"{each.shown.points:g}/{each.shown.most:g}"
        line = reason(
            "lti-differs",
            student=each.student,
            lab=each.lab,
            sent=f"{each.sent.points:g}/{each.sent.most:g}",
            shown=there,
        )
        out.print(Text(safe_text(shown.speech(line))), soft_wrap=True)
    return 1
