"""A ladder as a table in a terminal."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.messages import ENGLISH, Speech
from grader.model.ladder import LadderReport, RungTiming
from grader.report import palette
from grader.report.tables import ladder_cases, ladder_columns
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text

_FIGURES = 3
"""The number of figure columns that fit in a terminal."""


def ladder_table(ladder: LadderReport, speech: Speech = ENGLISH) -> RenderableType:
    """The whole ladder, one table per case; the heading says whether times are measured or modelled."""
    parts: list[RenderableType] = [*heading(ladder, speech)]
    columns = ladder_columns(ladder, speech)[:_FIGURES]
    for title, rows in ladder_cases(ladder):
        parts.append(Text(safe_text(speech(title), MESSAGE_LIMIT)))
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for code in ("column-rung", "column-kernel"):
            # Names are folded, so that a narrow terminal keeps the figures whole.
            table.add_column(speech.says(code), overflow="fold")
        table.add_column(speech.says("column-language"), no_wrap=True)
        for column in columns:
            table.add_column(column.heading, justify="right", no_wrap=True)
        for row in rows:
            table.add_row(
                Text(safe_name(row.rung), style="bold"),
                Text(safe_name(row.kernel)),
                Text(row.language),
                *(Text(column.cell(row)) for column in columns),
            )
        parts += [table, *failures(rows, speech)]
    return Group(*parts)


def heading(ladder: LadderReport, speech: Speech = ENGLISH) -> tuple[Text, Text]:
    """The lab, the kind of its times, engine and device."""
    kind = speech.says("times-of-kind", kind=ladder.kind.value)
    ran_on = speech.says("ran-on", engine=ladder.engine.kind.value, device=ladder.engine.device)
    return (
        Text(safe_text(f"{ladder.lab} {ladder.version}", MESSAGE_LIMIT), style="bold"),
        Text(safe_text(f"{kind}; {ran_on}", MESSAGE_LIMIT), style=palette.GREY),
    )


def failures(rows: Sequence[RungTiming], speech: Speech = ENGLISH) -> Iterator[Text]:
    """A line for each row without a time, with its reason."""
    for row in rows:
        if row.reason is not None:
            what = speech.says(
                "rung-without-time",
                rung=row.rung,
                kernel=row.kernel,
                language=row.language,
                reason=row.reason,
            )
            yield Text(safe_text(what, MESSAGE_LIMIT), style=palette.RED)
