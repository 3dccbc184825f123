"""``grader course invite``: links that sign people in once."""

import csv
import sys
from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.lazy_group import command_app
from grader.course.accounts.links import invite
from grader.course.accounts.members import members
from grader.course.workspace import open_workspace
from grader.errors import UserError
from grader.model.reason import reason
from grader.policy.access import Role

EXAMPLE = "Example: `grader course invite --students > links.csv`"

_COLUMNS = ("person", "name", "email", "role", "link", "expires_at")


def invite_people(
    people: Annotated[
        list[str] | None, typer.Argument(metavar="[PERSON]...", help="The ids of those to invite.")
    ] = None,
    *,
    students: Annotated[bool, typer.Option("--students", help="Every student.")] = False,
    staff: Annotated[bool, typer.Option("--staff", help="Everybody else.")] = False,
) -> None:
    """Print a link for each person as CSV. A link signs in once, within seven days: send it to that person only."""
    workspace = open_workspace()
    chosen = [*(people or ())]
    chosen += [
        each.person for each in members(workspace) if (students if each.role is Role.STUDENT else staff)
    ]
    if not chosen:
        msg = "No person is chosen."
        raise UserError(msg, hint="Name people by their ids, or use --students or --staff.")
    table = csv.writer(sys.stdout)
    table.writerow(_COLUMNS)
    for person in dict.fromkeys(chosen):
        link = invite(workspace, person)
        member = link.member
        url = link.url(workspace.config.portal.url)
        table.writerow(
            (member.person, member.name, member.email, member.role, url, link.expires_at.isoformat())
        )
    terminal(workspace.config).note(reason("portal-invited", count=len(dict.fromkeys(chosen))))


app = command_app(invite_people, EXAMPLE)
