"""``grader labs``: list the labs. Its subcommands are ``new`` and ``validate``."""

from collections.abc import Mapping
from typing import ClassVar

import typer
from rich.table import Table
from rich.text import Text

from grader.cli.console import out, terminal
from grader.cli.lazy_group import LazyGroup
from grader.course.workspace import open_workspace
from grader.report.text import safe_text


class _Commands(LazyGroup):
    modules: ClassVar[Mapping[str, str]] = {
        "new": "grader.cli.labs_new",
        "validate": "grader.cli.labs_validate",
    }


app = typer.Typer(
    help="List the labs, write a new one, or validate them.",
    cls=_Commands,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True, epilog="Example: `grader labs`")
def labs(context: typer.Context) -> None:
    """List every lab with its kernels, and every broken lab with the reason."""
    if context.invoked_subcommand is not None:
        return
    workspace = open_workspace()
    registry, speech = workspace.registry, terminal(workspace.config).speech
    table = Table(box=None, pad_edge=False)
    for code in ("column-lab", "column-version", "column-kernels", "column-about"):
        table.add_column(speech.says(code), overflow="fold")
    for name, lab in sorted(registry.labs.items()):
        kernels = ", ".join(lab.manifest.graded)
        table.add_row(
            *(Text(safe_text(cell)) for cell in (name, lab.manifest.version, kernels, lab.manifest.summary))
        )
    for broken in registry.broken:
        table.add_row(
            Text(safe_text(broken.name)),
            "",
            Text(speech.says("broken-lab"), style="red"),
            Text(safe_text(broken.reason)),
        )
    out.print(table)
