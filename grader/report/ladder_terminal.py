"""A ladder as a table in a terminal: each rung's place, and what it needs."""

from collections.abc import Iterator
from statistics import median

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.model.ladder import LadderReport, RungTiming
from grader.report import palette, quantities
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text

MISSING = "–"


def headings(ladder: LadderReport) -> tuple[str, ...]:
    """The columns after rung, kernel and language, for both the terminal and the page."""
    return (
        "time",
        f"over {safe_name(ladder.baseline)}",
        "interval",
        "of roofline",
        "regs",
        "shared",
        "occupancy",
    )


def cells(ladder: LadderReport, row: RungTiming) -> tuple[str, ...]:
    """One row under ``headings``."""
    if not row.seconds:
        return (MISSING,) * len(headings(ladder))
    standing = row.over(ladder.baseline)
    needs = row.resources
    return (
        quantities.seconds(median(row.seconds)),
        quantities.times(standing.speedup.value) if standing else MISSING,
        (quantities.interval(standing.speedup) if standing else "") or MISSING,
        quantities.share(row.share) if row.share is not None else MISSING,
        str(needs.registers) if needs else MISSING,
        quantities.size(needs.shared_bytes) if needs else MISSING,
        quantities.share(needs.occupancy) if needs else MISSING,
    )


def groups(ladder: LadderReport) -> Iterator[tuple[str, list[RungTiming]]]:
    """The rows of each case, under what the case is."""
    for case in dict.fromkeys(row.case for row in ladder.rows):
        rows = [row for row in ladder.rows if row.case == case]
        sizes = ", ".join(f"{name} = {size}" for name, size in rows[0].sizes.items())
        yield f"case {case} ({sizes})", rows


def ladder_table(ladder: LadderReport) -> RenderableType:
    """The whole ladder, a table for each case; times are labelled as measured or modelled."""
    parts: list[RenderableType] = [
        Text(safe_text(f"{ladder.lab} {ladder.version}", MESSAGE_LIMIT), style="bold"),
        Text(
            safe_text(f"{ladder.kind} times; {ladder.engine.kind} engine, {ladder.engine.device}"),
            style=palette.GREY,
        ),
    ]
    for title, rows in groups(ladder):
        parts.append(Text(safe_text(title, MESSAGE_LIMIT)))
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for heading in ("rung", "kernel", "language"):
            table.add_column(heading, overflow="fold")
        for heading in headings(ladder):
            table.add_column(heading, justify="right", overflow="fold")
        for row in rows:
            table.add_row(
                Text(safe_name(row.rung), style="bold"),
                Text(safe_name(row.kernel)),
                Text(row.language),
                *map(Text, cells(ladder, row)),
            )
        parts += [table, *_failures(rows)]
    return Group(*parts)


def _failures(rows: list[RungTiming]) -> Iterator[Text]:
    for row in rows:
        if row.reason:
            what = f"{row.rung} ({row.kernel}, {row.language}) has no time: {row.reason}"
            yield Text(safe_text(what, MESSAGE_LIMIT), style=palette.RED)
