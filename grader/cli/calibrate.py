"""``grader calibrate``: check the labs' thresholds against this device and suggest new ones."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import out, terminal
from grader.cli.lazy_group import command_app
from grader.cli.paths import relative
from grader.course import calibrate as service
from grader.course.ladders import TimingRequest
from grader.course.workspace import open_workspace
from grader.model.calibration import Threshold
from grader.model.ladder import LadderReport
from grader.model.reason import reason
from grader.report.terminal.calibration import calibration_table, changes
from grader.report.terminal.ladder import failures
from grader.report.text import MESSAGE_LIMIT, safe_text

EXAMPLE = "Example: `grader calibrate row-sum`"

_UNREACHABLE = 1


def calibrate(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="LAB", help="Labs to calibrate (default: all).")
    ] = None,
    *,
    engine: Annotated[str | None, typer.Option(metavar="ENGINE", help="The engine to run them on.")] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="How many labs to run at once (default: [jobs] in grader.toml).")
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Compare with this stored calibration of the same device."),
    ] = None,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to store it (default: .grader/calibrations/).")
    ] = None,
) -> int:
    """Time every ladder on this device, store the times, and check the labs' speed thresholds against them."""
    request = TimingRequest(names or [], engine, jobs)
    workspace = open_workspace()
    shown = terminal(workspace.config)

    def show(ladder: LadderReport, judged: Sequence[Threshold]) -> None:
        out.print(calibration_table(ladder, judged, shown.speech), *failures(ladder.rows, shown.speech))

    done = service.calibrate(workspace, request, show, shown, against=against, file=json)
    shown.note(reason("written", file=relative(done.file)))
    if done.before is not None:
        for change in changes(done.before.ladders, done.calibration.ladders):
            said = safe_text(shown.speech.figure(shown.speech(change)), MESSAGE_LIMIT)
            out.print(said, markup=False)
    return 0 if done.is_sound else _UNREACHABLE


app = command_app(calibrate, EXAMPLE)
