"""``grader bench-labs``: the time of every rung of every lab on this device."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import out, terminal
from grader.cli.lazy_group import command_app
from grader.cli.paths import relative, require_distinct
from grader.course.ladders import Timed, TimingRequest, timed
from grader.course.workspace import open_workspace
from grader.errors import UserError
from grader.model.ladder import LadderReport, Provenance
from grader.model.reason import reason
from grader.report import benchmark_json, calibrations
from grader.report.pages import ladder_page
from grader.report.terminal.ladder import ladder_table
from grader.report.text import safe_text

EXAMPLE = "Example: `grader bench-labs row-sum --html ladder.html`"

_NOT_TIMED = 1


def bench_labs(  # noqa: PLR0913 - one parameter per option of the command
    names: Annotated[
        list[str] | None, typer.Argument(metavar="LAB", help="Labs to time (default: all).")
    ] = None,
    *,
    engine: Annotated[str | None, typer.Option(metavar="ENGINE", help="The engine to run them on.")] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="How many labs to run at once (default: [jobs] in grader.toml).")
    ] = None,
    calibration: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Show the calibration that `grader calibrate` stored in FILE; time nothing."
        ),
    ] = None,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the times as pytest-benchmark JSON.")
    ] = None,
    html_file: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Also write the times as an HTML page with plots."),
    ] = None,
) -> int:
    """Time every rung of every lab in every language; show speedups, shares of the roofline and resources."""
    require_distinct(json=json, html=html_file)
    workspace = open_workspace()
    shown = terminal(workspace.config)
    page = partial(ladder_page.write, language=shown.speech.language)
    written = [
        (path, write) for path, write in ((json, benchmark_json.write), (html_file, page)) if path is not None
    ]

    def keep(ladders: Sequence[LadderReport], made: Provenance) -> None:
        for path, write in written:
            write(path, ladders, made)

    def show(done: Timed, ladder: LadderReport) -> None:
        out.print(ladder_table(ladder, shown.speech))
        keep(done.ladders, done.made)

    if calibration is None:
        request = TimingRequest(names or [], engine, jobs)
        ladders = timed(workspace, request, show, shown, every_case=True).ladders
    else:
        if engine is not None or jobs is not None:
            msg = "--calibration shows stored times, so --engine and --jobs have no effect."
            raise UserError(msg, hint="Leave out --engine and --jobs, or leave out --calibration.")
        stored = calibrations.read(calibration)
        ladders = _named(stored.ladders, names or [])
        out.print(*(ladder_table(ladder, shown.speech) for ladder in ladders))
        keep(ladders, stored.made)
    for path, _ in written:
        shown.note(reason("written", file=relative(path)))
    return 0 if all(ladder.is_complete for ladder in ladders) else _NOT_TIMED


def _named(ladders: Sequence[LadderReport], names: Sequence[str]) -> tuple[LadderReport, ...]:
    """The ladders of the labs ``names``, or all if there are none. Raises: ``UserError`` for an unknown name."""
    known = {ladder.lab: ladder for ladder in ladders}
    missing = [name for name in names if name not in known]
    if missing:
        msg = f"The calibration has no lab called {safe_text(missing[0])}."
        raise UserError(msg, hint=f"It has {', '.join(map(safe_text, known))}.")
    return tuple(known[name] for name in names) or tuple(ladders)


app = command_app(bench_labs, EXAMPLE)
