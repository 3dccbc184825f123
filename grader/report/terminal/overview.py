"""A class and its leaderboards in a terminal, from 80 columns up, on light and dark backgrounds.

All strings are wrapped in rich's ``Text``, so student text is never parsed as markup.
"""

from collections.abc import Callable, Iterable, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.messages import ENGLISH
from grader.model.reason import reason
from grader.model.report import Report, Speedup
from grader.report import palette, quantities
from grader.report.leaderboard import Board, Entry
from grader.report.summary import best_speedup, ordered, trust_note, verdict_counts
from grader.report.text import safe_name, safe_text
from grader.report.verify_speedups import SpeedupCheck

_NOTHING = Text(quantities.NOTHING, style=palette.GREY)


def class_table(reports: Iterable[Report]) -> RenderableType:
    """One row per submission, by lab and student; below, the number of submissions per verdict."""
    rows = ordered(reports)
    table = plain_table()
    table.add_column("student", overflow="fold", min_width=8)
    table.add_column("lab", overflow="fold", min_width=6)
    table.add_column("verdict", overflow="fold")
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("speedup", justify="right")
    for index, report in enumerate(rows):
        last_of_lab = index + 1 < len(rows) and rows[index + 1].lab != report.lab
        table.add_row(
            Text(safe_name(report.student)),
            Text(safe_name(report.lab)),
            Text(report.verdict, style=palette.VERDICT[report.verdict]),
            _score(report),
            _speedup(best_speedup(report)),
            end_section=last_of_lab,
        )
    note = trust_note(rows)
    return Group(
        table, verdict_line(rows), *([Text(safe_text(ENGLISH(note)), style=palette.GREY)] if note else [])
    )


def verdict_line(reports: Iterable[Report]) -> Text:
    """``14 submissions: 6 accepted, 3 wrong, …``."""
    counts = verdict_counts(reports)
    total = sum(count for _, count in counts)
    line = Text(f"{total} {'submission' if total == 1 else 'submissions'}")
    for index, (verdict, count) in enumerate(counts):
        line.append(": " if index == 0 else ", ")
        line.append(f"{count} {verdict}", style=palette.VERDICT[verdict])
    return line


def leaderboard(
    board: Board, public_name: Callable[[str], str] = str, *, most: int | None = None
) -> RenderableType:
    """One board: rank, student, speedup with its interval, and kernel, of the ``most`` fastest or of all.

    ``public_name`` maps a student to their public name; a column shows it where it differs from the real name.
    """
    entries = board.entries[:most]
    table = plain_table()
    table.add_column("rank", justify="right", no_wrap=True)
    table.add_column("student", overflow="fold", min_width=8)
    with_names = any(public_name(entry.student) != entry.student for entry in entries)
    if with_names:
        table.add_column("public name", overflow="fold", min_width=8)
    table.add_column("speedup", justify="right")
    with_intervals = any(quantities.interval(entry.speedup) for entry in entries)
    if with_intervals:
        table.add_column("interval", justify="right", no_wrap=True)
    table.add_column("kernel", overflow="fold", min_width=8)
    for entry in entries:
        interval = Text(quantities.interval(entry.speedup), style=palette.GREY)
        table.add_row(
            Text(_rank(entry), style="bold" if entry.rank == 1 else ""),
            Text(safe_name(entry.student)),
            *([Text(safe_name(public_name(entry.student)))] if with_names else []),
            _speedup(entry.speedup),
            *([interval] if with_intervals else []),
            Text(safe_name(entry.kernel)),
        )
    title = Text.assemble((safe_name(board.lab), "bold"), (f"  {safe_text(board.conditions)}", palette.GREY))
    left = len(board.entries) - len(entries)
    return Group(title, table, *([Text(f"and {left} more\n", style=palette.GREY)] if left else []))


def leaderboards(
    boards: Iterable[Board], public_name: Callable[[str], str] = str, *, most: int | None = None
) -> RenderableType:
    """All boards with the ``most`` fastest of each, or a sentence that there are none yet."""
    tables = [leaderboard(board, public_name, most=most) for board in boards]
    return Group(*tables) if tables else Text("No accepted submission has a speedup yet.")


def verification(results: Sequence[SpeedupCheck]) -> RenderableType:
    """How many stored speedups match their samples, and a table of those that do not."""
    wrong = [check for check in results if not check.matches]
    line = Text(f"{len(results) - len(wrong)} of {len(results)} stored speedups match their stored samples.")
    table = plain_table()
    for heading in ("student", "lab", "kernel", "stored", "recomputed"):
        table.add_column(heading, overflow="fold")
    for check in wrong:
        names = (check.report.student, check.report.lab, check.kernel)
        recomputed = _with_interval(check.recomputed) if check.recomputed else "no samples stored"
        table.add_row(
            *(Text(safe_name(name)) for name in names), Text(_with_interval(check.stored)), Text(recomputed)
        )
    return Group(line, table) if wrong else line


def _with_interval(speedup: Speedup) -> str:
    return f"{quantities.labelled(speedup)} {quantities.interval(speedup)}".rstrip()


def plain_table() -> Table:
    """An empty table in the common style."""
    return Table(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False)


def _rank(entry: Entry) -> str:
    return f"{'=' if entry.shared else ''}{entry.rank}"


def _score(report: Report) -> Text:
    if report.is_excused:
        return Text(ENGLISH(reason("excused")), style=palette.GREY)
    return Text.assemble(
        quantities.score(report),
        (f" / {quantities.points(report.max_score)}", palette.GREY),
    )


def _speedup(speedup: Speedup | None) -> Text:
    if speedup is None:
        return _NOTHING
    return Text.assemble((quantities.times(speedup.value), "bold"), (f" {speedup.kind}", palette.GREY))
