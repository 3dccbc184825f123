"""How points are spread, as bars in a terminal."""

from collections.abc import Iterable, Sequence

from rich.table import Table
from rich.text import Text

from grader.messages import ENGLISH, Speech
from grader.report import palette
from grader.report.boundaries import Crossing
from grader.report.distribution import BINS, Distribution
from grader.report.terminal.overview import plain_table
from grader.report.text import safe_name, safe_text

_WIDEST = 24
"""Characters of the longest bar."""


def spread_table(columns: Sequence[tuple[str, Distribution]], speech: Speech = ENGLISH) -> Table:
    """One row for each tenth of the possible points; a column of bars, with its heading, for each distribution."""
    table = plain_table()
    table.add_column(speech.says("column-share-of-points"), justify="right", no_wrap=True)
    for heading, _ in columns:
        table.add_column(safe_text(heading), no_wrap=True)
    longest = max((count for _, each in columns for count in each.counts), default=0)
    for bin_number in range(BINS):
        low = bin_number * 100 // (BINS - 1)
        label = "100 %" if bin_number == BINS - 1 else f"{low}-{low + 100 // (BINS - 1)} %"
        table.add_row(label, *(_bar(each.counts[bin_number], longest) for _, each in columns))
    return table


def _bar(count: int, longest: int) -> Text:
    length = -(-_WIDEST * count // longest) if longest else 0
    return Text.assemble(("█" * length, palette.GREY), f" {count}" if count else "")


def crossing_lines(crossings: Iterable[Crossing], speech: Speech = ENGLISH) -> Iterable[Text]:
    """One line for each student who crosses a boundary."""
    for each in crossings:
        code = "crosses-upwards" if each.up else "crosses-downwards"
        line = speech.says(
            code,
            student=safe_name(each.student),
            lab=safe_name(each.lab),
            boundary=f"{each.boundary:g} %",
        )
        yield Text(line, style=palette.GREEN if each.up else palette.RED)
