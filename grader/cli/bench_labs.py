"""``grader bench-labs``: where every rung of every lab stands on this device."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import note, out
from grader.cli.ladders import Wish, timed
from grader.config.settings import EngineChoice
from grader.report import benchmark_json
from grader.report.pages import ladder_page
from grader.report.terminal.ladder import ladder_table

EXAMPLE = "Example: `grader bench-labs row-sum --html ladder.html`"

_NOT_TIMED = 1


def bench_labs(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="LAB", help="Labs to time; all by default.")
    ] = None,
    *,
    engine: Annotated[EngineChoice | None, typer.Option(help="Where to run them.")] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="How many labs at once; as grader.toml says by default.")
    ] = None,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write it as pytest-benchmark's JSON.")
    ] = None,
    html_file: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Also write it as a page with plots.")
    ] = None,
) -> int:
    """Time every rung of every lab in every language: speedup over the baseline, share of the roofline, needs."""
    wish = Wish(names or [], engine, jobs)
    done = timed(wish, lambda _, ladder: out.print(ladder_table(ladder)), every_case=True)
    if json is not None:
        benchmark_json.write(json, done.ladders, done.made)
        note(f"Written: {json}")
    if html_file is not None:
        ladder_page.write(html_file, done.ladders, done.made)
        note(f"Written: {html_file}")
    return 0 if done.complete else _NOT_TIMED
