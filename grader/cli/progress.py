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

from grader.cli.causes import rescored, to_grade_again
from grader.cli.console import Terminal, err
from grader.course.grade import GradePlan
from grader.grading.batch import Progress as Step
from grader.messages import Speech
from grader.model.reason import Reason, reason
from grader.report import palette
from grader.report.quantities import is_modelled, isolation_note
from grader.report.text import NAME_LIMIT, safe_text


class BatchView:
    """Show each step of a batch on ``console``, with verdicts in the language of ``speech``."""

    def __init__(self, console: Console, progress: Progress, speech: Speech) -> None:
        self._console = console
        self._speech = speech
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
                    (self._speech.word(report.verdict), palette.VERDICT[report.verdict]),
                    (f"  {step.finished.seconds:.1f} s", "dim"),
                ),
                soft_wrap=True,
            )


@contextmanager
def batch_view(shown: Terminal, plan: GradePlan) -> Iterator[Callable[[Step], None]]:
    """Context manager: a view of one run on standard error."""
    for said in _announced(plan):
        shown.note(said)
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
        yield BatchView(err, progress, shown.speech).show


def _announced(plan: GradePlan) -> Iterator[Reason]:
    device = plan.engine.device
    rest = reason(
        "to-grade",
        count=plan.todo,
        where=reason("on-emulator" if is_modelled(plan.engine) else "on-device", device=device),
        isolation=isolation_note(plan.isolation),
    )
    yield reason("unchanged-and", count=plan.unchanged, rest=rest) if plan.unchanged else rest
    if plan.alike:
        yield reason("alike-graded-once", count=plan.alike)
    yield from rescored(plan.rescored)
    yield from to_grade_again(plan.again)
