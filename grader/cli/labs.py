"""``grader labs`` and ``grader labs validate``."""

import threading
from collections.abc import Iterable
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from grader.cli.console import err, out
from grader.cli.setting import Setting, open_setting
from grader.config.settings import EngineChoice, SandboxChoice
from grader.grading.validate import Finding, validate_all
from grader.report.text import safe_text

app = typer.Typer(help="List the labs, or prove that they grade as they should.")

_INVALID = 1


@app.callback(invoke_without_command=True, epilog="Example: `grader labs`")
def labs(context: typer.Context) -> None:
    """List every lab with what it asks, and every broken one with its reason."""
    if context.invoked_subcommand is not None:
        return
    registry = open_setting().registry
    table = Table(box=None, pad_edge=False)
    for heading in ("lab", "version", "kernels", "about"):
        table.add_column(heading, overflow="fold")
    for name, lab in sorted(registry.labs.items()):
        kernels = ", ".join(kernel.spec.name for kernel in lab.manifest.kernels)
        table.add_row(
            *(Text(safe_text(cell)) for cell in (name, lab.manifest.version, kernels, lab.manifest.summary))
        )
    for broken in registry.broken:
        table.add_row(
            Text(safe_text(broken.name)), "", Text("broken", style="red"), Text(safe_text(broken.reason))
        )
    out.print(table)


@app.command(epilog="Example: `grader labs validate row-sum`")
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
    setting = open_setting()
    chosen = [setting.registry.get(name) for name in names] if names else list(setting.registry.labs.values())
    cancelled = threading.Event()
    with (
        setting.environment(engine, cancelled, trusted=True, sandbox=SandboxChoice.PROCESS) as environment,
        err.status("proving …"),
    ):
        proved = validate_all(
            chosen, environment, jobs or setting.config.jobs.resolved(environment.engine), cancelled
        )
        failed = sum(map(_print_lab, proved))
    failed += 0 if names else _print_broken(setting)
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


def _print_broken(setting: Setting) -> int:
    for lab in setting.registry.broken:
        out.print(
            Text.assemble(("  FAILS ", "bold red"), safe_text(f"{lab.name} is broken: {lab.reason}")),
            soft_wrap=True,
        )
    return len(setting.registry.broken)
