"""``grader export``: grades for other systems. Each subcommand is a format."""

from collections.abc import Mapping
from typing import ClassVar

import typer

from grader.cli.lazy_group import LazyGroup


class _Commands(LazyGroup):
    modules: ClassVar[Mapping[str, str]] = {
        "moodle": "grader.cli.export_moodle",
        "canvas": "grader.cli.export_canvas",
        "gradescope": "grader.cli.export_gradescope",
        "blackboard": "grader.cli.export_blackboard",
        "brightspace": "grader.cli.export_brightspace",
        "classroom50": "grader.cli.export_classroom50",
        "result": "grader.cli.export_result",
        "csv": "grader.cli.export_csv",
        "junit": "grader.cli.export_junit",
        "check50": "grader.cli.export_check50",
    }


app = typer.Typer(
    help="Write the grades of a lab for another system: into its own file, or in a format of programs.",
    cls=_Commands,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)


@app.callback(epilog="Example: `grader export moodle worksheet.csv --lab row-sum`")
def export() -> None:
    """Write the grades of a lab for another system: into its own file, or in a format of programs."""
