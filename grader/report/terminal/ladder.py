"""A ladder as a table in a terminal."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.model.ladder import LadderReport, RungTiming
from grader.report import palette
from grader.report.tables import ladder_cases, ladder_columns
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text

_FIGURES = 3
"""The number of figure columns that fit in a terminal."""


def ladder_table(ladder: LadderReport) -> RenderableType:
    """The whole ladder, one table per case; the heading says whether times are measured or modelled."""
    parts: list[RenderableType] = [*heading(ladder)]
    columns = ladder_columns(ladder)[:_FIGURES]
    for title, rows in ladder_cases(ladder):
        parts.append(Text(safe_text(title, MESSAGE_LIMIT)))
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for name in ("rung", "kernel"):
            table.add_column(
                name, overflow="fold"
            )  # fold names, so that a narrow terminal keeps the figures whole
        table.add_column("language", no_wrap=True)
        for column in columns:
            table.add_column(column.heading, justify="right", no_wrap=True)
        for row in rows:
            table.add_row(
                Text(safe_name(row.rung), style="bold"),
                Text(safe_name(row.kernel)),
                Text(row.language),
                *(Text(column.cell(row)) for column in columns),
            )
        parts += [table, *failures(rows)]
    return Group(*parts)


def heading(ladder: LadderReport) -> tuple[Text, Text]:
    """The lab, the kind of its times, engine and device."""
    origin = f"{ladder.kind} times; {ladder.engine.kind} engine, {ladder.engine.device}"
    return (
        Text(safe_text(f"{ladder.lab} {ladder.version}", MESSAGE_LIMIT), style="bold"),
        Text(safe_text(origin, MESSAGE_LIMIT), style=palette.GREY),
    )


def failures(rows: Sequence[RungTiming]) -> Iterator[Text]:
    """A line for each row without a time, with its reason."""
    for row in rows:
        if row.reason:
            what = f"{row.rung} ({row.kernel}, {row.language}) has no time: {row.reason}"
            yield Text(safe_text(what, MESSAGE_LIMIT), style=palette.RED)
