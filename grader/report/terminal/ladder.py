"""A ladder as a table in a terminal: each rung's place, and what it needs."""

from collections.abc import Iterator, Sequence
from statistics import median

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.model.ladder import LadderReport, RungTiming
from grader.report import palette, quantities
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text

MISSING = "–"

_FIGURES = 3
"""How many columns of figures a terminal shows."""


def headings(ladder: LadderReport) -> tuple[str, ...]:
    """The columns after rung, kernel and language. A terminal has no room for those after the roofline."""
    return ("time", f"over {safe_name(ladder.baseline)}", "roofline", "regs", "shared", "occupancy")


def cells(ladder: LadderReport, row: RungTiming) -> tuple[str, ...]:
    """One row under ``headings``."""
    if not row.seconds:
        return (MISSING,) * len(headings(ladder))
    speedup = row.over(ladder.baseline)
    needs = row.resources
    return (
        quantities.seconds(median(row.seconds)),
        f"{quantities.times(speedup.value)} {quantities.interval(speedup)}".strip() if speedup else MISSING,
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
    parts: list[RenderableType] = [*heading(ladder)]
    for title, rows in groups(ladder):
        parts.append(Text(safe_text(title, MESSAGE_LIMIT)))
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for name in ("rung", "kernel"):
            table.add_column(name, overflow="fold")  # so that a narrow terminal cuts no figure off
        table.add_column("language", no_wrap=True)
        for name in headings(ladder)[:_FIGURES]:
            table.add_column(name, justify="right", no_wrap=True)
        for row in rows:
            table.add_row(
                Text(safe_name(row.rung), style="bold"),
                Text(safe_name(row.kernel)),
                Text(row.language),
                *map(Text, cells(ladder, row)[:_FIGURES]),
            )
        parts += [table, *failures(rows)]
    return Group(*parts)


def heading(ladder: LadderReport) -> tuple[Text, Text]:
    """Which lab it is, and where its times come from."""
    where = f"{ladder.kind} times; {ladder.engine.kind} engine, {ladder.engine.device}"
    return (
        Text(safe_text(f"{ladder.lab} {ladder.version}", MESSAGE_LIMIT), style="bold"),
        Text(safe_text(where, MESSAGE_LIMIT), style=palette.GREY),
    )


def failures(rows: Sequence[RungTiming]) -> Iterator[Text]:
    """A line for each row without a time, with its reason."""
    for row in rows:
        if row.reason:
            what = f"{row.rung} ({row.kernel}, {row.language}) has no time: {row.reason}"
            yield Text(safe_text(what, MESSAGE_LIMIT), style=palette.RED)
