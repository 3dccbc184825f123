"""``grader doctor``: what this machine can do, what it lacks, and how to fix that."""

from rich.table import Table
from rich.text import Text

from grader.cli.console import Terminal, out
from grader.cli.lazy_group import command_app
from grader.course.capabilities import Capability, capabilities
from grader.model.reason import reason

EXAMPLE = "Example: `grader doctor`"


def doctor() -> int:
    """Show what this machine can grade with, and how to install what is missing."""
    with Terminal().status(reason("trying-languages")):
        found = capabilities()
    table = Table(box=None, pad_edge=False, show_header=False)
    for capability in found:
        table.add_row(_mark(capability), capability.name, Text(capability.detail, overflow="fold"))
        if capability.hint:
            table.add_row("", "", Text(capability.hint, style="cyan"))
    out.print(table)
    broken = [capability for capability in found if capability.needed and not capability.present]
    if broken:
        names = ", ".join(capability.name for capability in broken)
        out.print(Text(f"grading does not work here: {names}", style="bold red"), soft_wrap=True)
        return 1
    out.print(Text("this machine can grade", style="green"))
    return 0


def _mark(capability: Capability) -> Text:
    if capability.present:
        return Text("yes", style="green")
    return Text("no", style="bold red" if capability.needed else "yellow")


app = command_app(doctor, EXAMPLE)
