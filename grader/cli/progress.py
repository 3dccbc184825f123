"""The live view of a run: what it will do, then a progress bar in a terminal, one line per submission in a log."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text

from grader.cli.causes import cause_lines
from grader.cli.console import err, note
from grader.course.grade import GradePlan
from grader.grading.batch import Progress as Step
from grader.messages import ENGLISH
from grader.report import palette
from grader.report.quantities import isolation_note
from grader.report.text import NAME_LIMIT, safe_text


class BatchView:
    """Show each step of a batch on ``console``."""

    def __init__(self, console: Console, progress: Progress) -> None:
        self._console = console
        self._progress = progress
        self._task = progress.add_task("", total=None)

    def show(self, step: Step) -> None:
        """Update the view; a finished submission gets a line."""
        names = ", ".join(f"{safe_text(s.student, NAME_LIMIT)} ({safe_text(s.lab)})" for s in step.running)
        self._progress.update(self._task, total=step.total, completed=step.done, description=names)
        if step.finished is not None:
            report = step.finished.report
            self._console.print(
                Text.assemble(
                    (f"{step.done:>4}/{step.total}  ", "dim"),
                    f"{safe_text(report.lab)}  {safe_text(report.student, NAME_LIMIT)}  ",
                    (report.verdict, palette.VERDICT[report.verdict]),
                    (f"  {step.finished.seconds:.1f} s", "dim"),
                ),
                soft_wrap=True,
            )


@contextmanager
def batch_view(plan: GradePlan) -> Iterator[Callable[[Step], None]]:
    """Context manager: a view of one run on standard error."""
    _announce(plan)
    progress = Progress(
        SpinnerColumn(),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False),
        console=err,
        transient=True,
        disable=not err.is_terminal or not plan.todo,
    )
    with progress:
        yield BatchView(err, progress).show


def _announce(plan: GradePlan) -> None:
    engine = (
        f"on the emulator (as a {plan.engine.device}; speedups are modelled)"
        if plan.engine.kind == "emulator"
        else f"on {plan.engine.device}"
    )
    unchanged = f"{plan.unchanged} unchanged since they were last graded, " if plan.unchanged else ""
    note(f"{unchanged}{plan.todo} to grade {engine}, {ENGLISH(isolation_note(plan.isolation))}")
    for line in cause_lines(plan.rescored, "rescored"):
        note(line)
    for line in cause_lines(plan.again, "to grade again"):
        note(line)
