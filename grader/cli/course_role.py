"""``grader course role``: roles of staff, and disabled accounts."""

from typing import Annotated

import typer
from rich.text import Text

from grader.cli.console import Terminal, out, terminal
from grader.cli.lazy_group import command_app
from grader.course.accounts.members import disable, members, set_role
from grader.course.workspace import Workspace, open_workspace
from grader.errors import UserError
from grader.model.reason import reason
from grader.policy.access import Role
from grader.report.terminal.overview import plain_table
from grader.report.text import safe_name

EXAMPLE = "Example: `grader course role tim assistant --name 'Tim Example'`"

_COLUMNS = ("column-student", "column-name", "column-email", "column-role")


def role(
    person: Annotated[str | None, typer.Argument(metavar="[PERSON]", help="The id of the person.")] = None,
    given: Annotated[Role | None, typer.Argument(metavar="[ROLE]", help="What they are.")] = None,
    *,
    name: Annotated[str, typer.Option(metavar="NAME", help="What others read.")] = "",
    email: Annotated[str, typer.Option(metavar="ADDRESS", help="Finds them when a service signs in.")] = "",
    disabled: Annotated[
        bool, typer.Option("--disable", help="Sign them out everywhere, and let them in no more.")
    ] = False,
) -> None:
    """Give PERSON a role: student, assistant, instructor or observer. Without a person, list everybody."""
    workspace = open_workspace()
    shown = terminal(workspace.config)
    if person is None:
        _list(workspace, shown)
    elif disabled:
        disable(workspace, person)
        shown.note(reason("portal-disabled", person=person))
    elif given is None:
        msg = "A role is missing."
        raise UserError(msg, hint=f"Use one of {', '.join(Role)}, or --disable.")
    else:
        set_role(workspace, person, given, name, email)
        shown.note(reason("portal-role-given", person=person, role=given))


def _list(workspace: Workspace, shown: Terminal) -> None:
    table = plain_table()
    for code in _COLUMNS:
        table.add_column(shown.speech.says(code), overflow="fold")
    for each in members(workspace):
        cells = (each.person, each.name, each.email, shown.speech.word(each.role))
        table.add_row(*(Text(safe_name(cell)) for cell in cells))
    out.print(table)


app = command_app(role, EXAMPLE)
