"""``grader course check``: the rules that hold, and who is missing."""

from typing import Annotated

import typer
from rich.text import Text

from grader.cli.console import out, print_error, terminal
from grader.cli.lazy_group import command_app
from grader.course.course_check import Checked, check_course, rule_of
from grader.course.workspace import open_workspace
from grader.errors import UserError
from grader.messages import Speech
from grader.model.reason import reason
from grader.report.terminal.overview import plain_table
from grader.report.text import safe_name, safe_text

EXAMPLE = "Example: `grader course check student-01 row-sum`"

_SHOWN = 10
"""The most students who are missing that the table names."""


def check(
    student: Annotated[str | None, typer.Argument(metavar="[STUDENT]", help="The id of a student.")] = None,
    lab: Annotated[str | None, typer.Argument(metavar="[LAB]", help="A lab of the course.")] = None,
    *,
    at: Annotated[
        str | None, typer.Option(metavar="TIME", help="The rules at this time (default: now).")
    ] = None,
) -> None:
    """Check `course.toml` and show the rule of every lab, or the one that holds for a student and lab."""
    workspace = open_workspace()
    if student is not None:
        if lab is None:
            msg = "Which lab?"
            raise UserError(msg, hint="Name a student and a lab, or neither.")
        found = rule_of(workspace, student, lab, at)
        speech = terminal(workspace.config, found.language or None).speech
        out.print(Text(safe_text(speech(found.rule))), soft_wrap=True)
        return
    checked = check_course(workspace, at)
    if checked.mistakes:
        *others, last = checked.mistakes
        for line in others:
            print_error(line)
        raise UserError(last)
    shown = terminal(workspace.config, checked.language or None)
    for warning in checked.warnings:
        shown.warn(warning)
    _print(checked, shown.speech)
    shown.note(reason("course-checked", file=checked.file, count=len(checked.labs)))


def _print(checked: Checked, speech: Speech) -> None:
    table = plain_table()
    for code in ("column-lab", "column-rule", "column-missing"):
        table.add_column(speech.says(code), overflow="fold")
    for state in checked.labs:
        table.add_row(
            *(
                Text(safe_text(cell))
                for cell in (state.lab, speech(state.rule), _missing(state.missing, state.expected, speech))
            )
        )
    out.print(table)


def _missing(missing: tuple[str, ...], expected: int, speech: Speech) -> str:
    if not missing:
        return ""
    names = [safe_name(name) for name in missing[:_SHOWN]]
    if len(missing) > _SHOWN:
        names.append(speech.says("and-more", count=len(missing) - _SHOWN))
    counted = speech.says("missing-of", count=len(missing), expected=expected)
    return f"{counted}{speech.colon}{speech.joined(names)}"


app = command_app(check, EXAMPLE)
