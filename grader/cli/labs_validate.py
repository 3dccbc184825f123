"""``grader labs validate``: prove that labs grade as they should."""

import threading
from collections.abc import Iterable
from typing import Annotated

import typer
from rich.text import Text

from grader.cli.console import err, out
from grader.cli.environment import open_environment
from grader.cli.lazy_group import command_app
from grader.cli.workspace import Workspace, open_workspace
from grader.config.settings import EngineChoice, SandboxChoice
from grader.grading.validate import Finding, validate_all
from grader.report.text import safe_text

EXAMPLE = "Example: `grader labs validate row-sum`"

_INVALID = 1


def validate(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="LAB", help="Labs to prove; all by default.")
    ] = None,
    engine: Annotated[EngineChoice | None, typer.Option(help="Where to run them.")] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="How many labs at once; as grader.toml says by default.")
    ] = None,
) -> int:
    """Prove labs: rungs pass and rise, the starter earns nothing, and every mutant is caught as it says."""
    workspace = open_workspace()
    chosen = (
        [workspace.registry.get(name) for name in names] if names else list(workspace.registry.labs.values())
    )
    cancelled = threading.Event()
    with (
        open_environment(
            workspace, engine, cancelled, trusted=True, sandbox=SandboxChoice.PROCESS
        ) as environment,
        err.status("proving …"),
    ):
        proved = validate_all(
            chosen, environment, jobs or workspace.config.jobs.resolved(environment.engine), cancelled
        )
        failed = sum(map(_print_lab, proved))
    failed += 0 if names else _print_broken(workspace)
    out.print(
        Text("every lab holds", style="green") if not failed else Text(f"{failed} checks failed", style="red")
    )
    return _INVALID if failed else 0


def _print_lab(findings: Iterable[Finding]) -> int:
    """Print one lab's findings under its name; give back how many failed."""
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
