"""``grader labs validate``: show that labs grade as they should."""

from collections.abc import Iterable
from typing import Annotated

import typer
from rich.text import Text

from grader.cli.console import out, terminal
from grader.cli.lazy_group import command_app
from grader.course import validate as service
from grader.course.workspace import Workspace, open_workspace
from grader.grading.validate import Finding
from grader.report.text import safe_text

EXAMPLE = "Example: `grader labs validate row-sum`"

_INVALID = 1


def validate(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="LAB", help="Labs to validate (default: all).")
    ] = None,
    engine: Annotated[str | None, typer.Option(metavar="ENGINE", help="The engine to run them on.")] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="How many labs to run at once (default: [jobs] in grader.toml).")
    ] = None,
) -> int:
    """Validate labs: every rung passes, rungs get faster, the starter earns nothing, each mutant is caught."""
    workspace = open_workspace()
    proved = service.validate(workspace, names or [], engine, jobs, terminal(workspace.config))
    failed = sum(map(_print_lab, proved))
    failed += 0 if names else _print_broken(workspace)
    out.print(
        Text("every lab is valid", style="green")
        if not failed
        else Text(f"{failed} checks failed", style="red")
    )
    return _INVALID if failed else 0


def _print_lab(findings: Iterable[Finding]) -> int:
    """Print one lab's findings under its name. Returns: how many failed."""
    failed = 0
    for number, finding in enumerate(findings):
        if number == 0:
            out.print(Text(safe_text(finding.lab), style="bold"))
        failed += not finding.passed
        _print(finding)
    return failed


def _print(finding: Finding) -> None:
    mark = ("  ok    ", "green") if finding.passed else ("  FAILS ", "bold red")
    out.print(
        Text.assemble(mark, safe_text(finding.check), ("  ", ""), (safe_text(finding.detail), "dim")),
        soft_wrap=True,
    )


def _print_broken(workspace: Workspace) -> int:
    for lab in workspace.registry.broken:
        out.print(
            Text.assemble(("  FAILS ", "bold red"), safe_text(f"{lab.name} is broken: {lab.reason}")),
            soft_wrap=True,
        )
    return len(workspace.registry.broken)


app = command_app(validate, EXAMPLE)
