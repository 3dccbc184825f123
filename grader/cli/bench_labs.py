"""``grader bench-labs``: where every rung of every lab stands on this device."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import note, out
from grader.cli.ladders import Timed, Wish, is_complete, timed
from grader.cli.lazy_group import command_app
from grader.cli.paths import require_distinct
from grader.config.settings import EngineChoice
from grader.errors import UserError
from grader.model.ladder import LadderReport, Provenance
from grader.report import benchmark_json, calibrations
from grader.report.pages import ladder_page
from grader.report.terminal.ladder import ladder_table
from grader.report.text import safe_text

EXAMPLE = "Example: `grader bench-labs row-sum --html ladder.html`"

_NOT_TIMED = 1


def bench_labs(  # noqa: PLR0913 - one parameter per option of the command
    names: Annotated[
        list[str] | None, typer.Argument(metavar="LAB", help="Labs to time; all by default.")
    ] = None,
    *,
    engine: Annotated[EngineChoice | None, typer.Option(help="Where to run them.")] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="How many labs at once; as grader.toml says by default.")
    ] = None,
    calibration: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Time nothing; show what `grader calibrate` stored.")
    ] = None,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write it as pytest-benchmark's JSON.")
    ] = None,
    html_file: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Also write it as a page with plots.")
    ] = None,
) -> int:
    """Time every rung of every lab in every language: speedup over the baseline, share of the roofline, needs."""
    require_distinct(json=json, html=html_file)
    written = [
        (path, write)
        for path, write in ((json, benchmark_json.write), (html_file, ladder_page.write))
        if path is not None
    ]

    def keep(ladders: Sequence[LadderReport], made: Provenance) -> None:
        for path, write in written:
            write(path, ladders, made)

    def show(done: Timed, ladder: LadderReport) -> None:
        out.print(ladder_table(ladder))
        keep(done.ladders, done.made)

    if calibration is None:
        ladders = timed(Wish(names or [], engine, jobs), show, every_case=True).ladders
    else:
        if engine is not None or jobs is not None:
            msg = "A stored calibration is shown as it was timed."
            raise UserError(msg, hint="Leave out --engine and --jobs, or --calibration.")
        stored = calibrations.read(calibration)
        ladders = _named(stored.ladders, names or [])
        out.print(*map(ladder_table, ladders))
        keep(ladders, stored.made)
    for path, _ in written:
        note(f"Written: {path}")
    return 0 if is_complete(ladders) else _NOT_TIMED


def _named(ladders: Sequence[LadderReport], names: Sequence[str]) -> tuple[LadderReport, ...]:
    """Those of the labs that were named, all where none was. Raises: ``UserError`` where one is not there."""
    known = {ladder.lab: ladder for ladder in ladders}
    missing = [name for name in names if name not in known]
    if missing:
        msg = f"That calibration holds no lab called {safe_text(missing[0])}."
        raise UserError(msg, hint=f"It holds {', '.join(map(safe_text, known))}.")
    return tuple(known[name] for name in names) or tuple(ladders)


app = command_app(bench_labs, EXAMPLE)
