"""``grader statistics``: what a class found hard."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from grader.cli.console import out, terminal
from grader.cli.lazy_group import command_app
from grader.cli.paths import relative, require_distinct
from grader.course import statistics as service
from grader.course.mistakes import Mistake
from grader.course.statistics import LabStatistics
from grader.course.statistics_document import statistics_document
from grader.course.workspace import open_workspace
from grader.messages import Speech
from grader.model.reason import first_of, reason
from grader.report import quantities, statistics_json
from grader.report.case_difficulty import CaseDifficulty
from grader.report.terminal.distribution import spread_table
from grader.report.terminal.overview import plain_table
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text

EXAMPLE = "Example: `grader statistics row-sum`"

_SHOWN_STUDENTS = 6


def statistics(
    lab: Annotated[str, typer.Argument(metavar="LAB", help="The lab.")],
    *,
    most: Annotated[
        int, typer.Option(min=1, max=1000, metavar="COUNT", help="The most cases and mistakes to show.")
    ] = 10,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write everything for programs.")
    ] = None,
) -> None:
    """Show the hardest cases, how points are spread over the lines of the rubric, and the mistakes that many made.

    The newest results count. Mistakes are equal if one kind of finding is at lines that differ only in names, numbers
    and layout. This is for staff: it names hidden cases and students.
    """
    require_distinct(json=json)
    workspace = open_workspace()
    shown = terminal(workspace.config)
    found = service.statistics(workspace, lab)
    for part in _parts(found, most, shown.speech):
        out.print(part)
    if json is not None:
        statistics_json.write(json, statistics_document(found))
        shown.note(reason("written", file=relative(json)))


def _parts(found: LabStatistics, most: int, speech: Speech) -> Iterator[RenderableType]:
    yield Text(speech.says("statistics-cases"), style="bold")
    yield _cases(found.cases[:most], speech)
    yield Text(speech.says("statistics-points"), style="bold")
    spreads = (found.summary.score, *found.summary.parts)
    yield spread_table([(speech(each.title), each) for each in spreads], speech)
    yield Text(speech.says("statistics-mistakes"), style="bold")
    yield _mistakes(found.mistakes[:most], speech) if found.mistakes else Text(speech.says("no-mistakes"))


def _cases(cases: Iterable[CaseDifficulty], speech: Speech) -> Table:
    table = plain_table()
    for code in ("column-case", "column-kernel", "column-failed"):
        table.add_column(speech.says(code), overflow="fold")
    for case in cases:
        failed = speech.says(
            "failed-of", failed=case.failed, total=case.ran, share=quantities.percent(case.share)
        )
        table.add_row(*(Text(safe_name(name)) for name in (case.case, case.kernel)), Text(failed))
    return table


def _mistakes(mistakes: Sequence[Mistake], speech: Speech) -> Table:
    table = plain_table()
    for code in ("column-students", "column-finding", "column-line"):
        table.add_column(speech.says(code), overflow="fold")
    for mistake in mistakes:
        names = tuple(map(safe_name, mistake.students))
        who = reason("students-named", count=len(names), students=first_of(names, _SHOWN_STUDENTS))
        finding = (speech.word(mistake.kind), speech(mistake.message))
        table.add_row(
            Text(speech(who)),
            Text("\n".join(safe_text(line, MESSAGE_LIMIT) for line in finding)),
            Text(safe_text(mistake.source, MESSAGE_LIMIT)),
        )
    return table


app = command_app(statistics, EXAMPLE)
