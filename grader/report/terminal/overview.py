"""A class and its leaderboards in a terminal, from 80 columns up, on light and dark backgrounds.

All strings are wrapped in rich's ``Text``, so student text is never parsed as markup.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.messages import ENGLISH, Speech
from grader.model.report import Report, Speedup
from grader.report import palette, quantities
from grader.report.leaderboard import Board, Entry
from grader.report.summary import best_speedup, ordered, trust_note, verdict_counts
from grader.report.text import safe_name, safe_text
from grader.report.verify_speedups import SpeedupCheck

_NOTHING = Text(quantities.NOTHING, style=palette.GREY)


def class_table(reports: Iterable[Report], speech: Speech = ENGLISH) -> RenderableType:
    """One row per submission, by lab and student; below, the number of submissions per verdict."""
    rows = ordered(reports)
    table = plain_table()
    table.add_column(speech.says("column-student"), overflow="fold", min_width=8)
    table.add_column(speech.says("column-lab"), overflow="fold", min_width=6)
    table.add_column(speech.says("column-verdict"), overflow="fold")
    table.add_column(speech.says("column-score"), justify="right", no_wrap=True)
    table.add_column(speech.says("column-speedup"), justify="right")
    for index, report in enumerate(rows):
        last_of_lab = index + 1 < len(rows) and rows[index + 1].lab != report.lab
        table.add_row(
            Text(safe_name(report.student)),
            Text(safe_name(report.lab)),
            Text(speech.word(report.verdict), style=palette.VERDICT[report.verdict]),
            _score(report, speech),
            _speedup(best_speedup(report), speech),
            end_section=last_of_lab,
        )
    note = trust_note(rows)
    notes = [Text(safe_text(speech(note)), style=palette.GREY)] if note else []
    return Group(table, verdict_line(rows, speech), *notes)


def verdict_line(reports: Iterable[Report], speech: Speech = ENGLISH) -> Text:
    """``14 submissions: 6 accepted, 3 wrong, …``."""
    counts = verdict_counts(reports)
    line = Text(speech.says("submissions-count", count=sum(count for _, count in counts)))
    for index, (verdict, count) in enumerate(counts):
        line.append(": " if index == 0 else ", ")
        said = speech.says("count-of-kind", count=count, kind=verdict.value)
        line.append(said, style=palette.VERDICT[verdict])
    return line


def leaderboard(
    board: Board,
    public_name: Callable[[str], str] = str,
    speech: Speech = ENGLISH,
    *,
    most: int | None = None,
) -> RenderableType:
    """One board: rank, student, speedup with its interval, and kernel, of the ``most`` fastest or of all.

    ``public_name`` maps a student to their public name; a column shows it where it differs from the real name.
    """
    entries = board.entries[:most]
    table = plain_table()
    table.add_column(speech.says("column-rank"), justify="right", no_wrap=True)
    table.add_column(speech.says("column-student"), overflow="fold", min_width=8)
    with_names = any(public_name(entry.student) != entry.student for entry in entries)
    if with_names:
        table.add_column(speech.says("column-public-name"), overflow="fold", min_width=8)
    table.add_column(speech.says("column-speedup"), justify="right")
    with_intervals = any(quantities.interval(entry.speedup) for entry in entries)
    if with_intervals:
        table.add_column(speech.says("column-interval"), justify="right", no_wrap=True)
    table.add_column(speech.says("column-kernel"), overflow="fold", min_width=8)
    for entry in entries:
        interval = Text(speech.figure(quantities.interval(entry.speedup)), style=palette.GREY)
        table.add_row(
            Text(_rank(entry), style="bold" if entry.rank == 1 else ""),
            Text(safe_name(entry.student)),
            *([Text(safe_name(public_name(entry.student)))] if with_names else []),
            _speedup(entry.speedup, speech),
            *([interval] if with_intervals else []),
            Text(safe_name(entry.kernel)),
        )
    conditions = safe_text(", ".join(_conditions(board, speech)))
    title = Text.assemble((safe_name(board.lab), "bold"), (f"  {conditions}", palette.GREY))
    left = len(board.entries) - len(entries)
    more = [Text(f"{speech.says('and-more', count=left)}\n", style=palette.GREY)] if left else []
    return Group(title, table, *more)


def _conditions(board: Board, speech: Speech) -> Iterator[str]:
    """What the speedups of a board have in common besides the lab."""
    if board.lab_version:
        yield speech.says("board-version", version=board.lab_version)
    yield board.language
    yield speech.says("board-speedups", kind=board.kind.value)
    yield speech.says("ran-on", engine=board.engine.kind.value, device=board.engine.device)


def leaderboards(
    boards: Iterable[Board],
    public_name: Callable[[str], str] = str,
    speech: Speech = ENGLISH,
    *,
    most: int | None = None,
) -> RenderableType:
    """All boards with the ``most`` fastest of each, or a sentence that there are none yet."""
    tables = [leaderboard(board, public_name, speech, most=most) for board in boards]
    return Group(*tables) if tables else Text(speech.says("no-speedups"))


def verification(results: Sequence[SpeedupCheck], speech: Speech = ENGLISH) -> RenderableType:
    """How many stored speedups match their samples, and a table of those that do not."""
    wrong = [check for check in results if not check.matches]
    matching = len(results) - len(wrong)
    line = Text(speech.says("speedups-match", right=matching, total=len(results)))
    table = plain_table()
    for code in ("column-student", "column-lab", "column-kernel", "column-stored", "column-recomputed"):
        table.add_column(speech.says(code), overflow="fold")
    for check in wrong:
        names = (check.report.student, check.report.lab, check.kernel)
        recomputed = (
            _with_interval(check.recomputed, speech) if check.recomputed else speech.says("no-samples")
        )
        stored = _with_interval(check.stored, speech)
        table.add_row(*(Text(safe_name(name)) for name in names), Text(stored), Text(recomputed))
    return Group(line, table) if wrong else line


def _with_interval(speedup: Speedup, speech: Speech) -> str:
    labelled = speech(quantities.labelled(speedup))
    return speech.figure(f"{labelled} {quantities.interval(speedup)}".rstrip())


def plain_table() -> Table:
    """An empty table in the common style."""
    return Table(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False)


def _rank(entry: Entry) -> str:
    return f"{'=' if entry.shared else ''}{entry.rank}"


def _score(report: Report, speech: Speech) -> Text:
    if report.is_excused:
        return Text(speech.says("excused"), style=palette.GREY)
    return Text.assemble(
        speech.figure(quantities.score(report)),
        (f" / {speech.figure(quantities.points(report.max_score))}", palette.GREY),
    )


def _speedup(speedup: Speedup | None, speech: Speech) -> Text:
    if speedup is None:
        return _NOTHING
    value, kind = speech.figure(quantities.times(speedup.value)), speech.word(speedup.kind)
    return Text.assemble((value, "bold"), (f" {kind}", palette.GREY))
