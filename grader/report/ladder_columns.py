"""The columns of a ladder's table, wherever it is shown: each rung's place, and what it needs."""

from collections.abc import Iterator
from statistics import median

from grader.model.ladder import LadderReport, RungTiming
from grader.report import quantities
from grader.report.text import safe_name


def headings(ladder: LadderReport) -> tuple[str, ...]:
    """The columns after rung, kernel and language."""
    return ("time", f"over {safe_name(ladder.baseline)}", "roofline", "regs", "shared", "occupancy")


def cells(ladder: LadderReport, row: RungTiming) -> tuple[str, ...]:
    """One row under ``headings``."""
    if not row.seconds:
        return (quantities.NOTHING,) * len(headings(ladder))
    speedup = row.over(ladder.baseline)
    needs = row.resources
    return (
        quantities.seconds(median(row.seconds)),
        f"{quantities.times(speedup.value)} {quantities.interval(speedup)}".strip()
        if speedup
        else quantities.NOTHING,
        quantities.share(row.share) if row.share is not None else quantities.NOTHING,
        str(needs.registers) if needs else quantities.NOTHING,
        quantities.size(needs.shared_bytes) if needs else quantities.NOTHING,
        quantities.share(needs.occupancy) if needs else quantities.NOTHING,
    )


def groups(ladder: LadderReport) -> Iterator[tuple[str, list[RungTiming]]]:
    """The rows of each case, under what the case is."""
    for case in dict.fromkeys(row.case for row in ladder.rows):
        rows = [row for row in ladder.rows if row.case == case]
        sizes = ", ".join(f"{name} = {size}" for name, size in rows[0].sizes.items())
        yield f"case {case} ({sizes})", rows
