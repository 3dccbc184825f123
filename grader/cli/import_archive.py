"""``grader import``: take in the submissions that another system gives."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from grader.cli.console import Terminal, out, terminal
from grader.cli.lazy_group import command_app
from grader.course.receive import receive
from grader.course.reception import Arrival, ReceiveRequest, Reception
from grader.course.workspace import open_workspace
from grader.lms.archives.moodle import MOODLE
from grader.messages import Speech
from grader.model.reason import Reason, reason
from grader.report.quantities import moment
from grader.report.terminal.overview import plain_table
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text

EXAMPLE = "Example: `grader import submissions.zip --lab row-sum --dry-run`"

_UNKNOWN_PEOPLE = 2
"""Exit code: the roster lacks people; the rest is imported."""

_LISTED = 10
"""The most entries left aside and unknown people that are listed, unless the run is a dry one."""

_HEADINGS = (
    *("column-student", "column-name", "column-lab", "column-when", "column-attempt"),
    *("column-files", "column-state", "column-remarks"),
)


def import_archive(  # noqa: PLR0913 - one parameter per option of the command
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="The zip file that a course system gives, or its folder.")
    ],
    *,
    lab: Annotated[str | None, typer.Option(help="The lab, if the archive does not name it.")] = None,
    system: Annotated[
        str | None, typer.Option(help="The system that wrote it, if it must not be recognised.")
    ] = None,
    sheet: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The grading worksheet of the assignment: people, groups and times."
        ),
    ] = None,
    file_times: Annotated[
        bool, typer.Option("--file-times", help="Accept the times of files, although some are late by them.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Store nothing; show what would be imported.")
    ] = False,
) -> int:
    """Import the submissions in PATH with their times: Moodle, Canvas, Gradescope, Blackboard, Brightspace, GitHub.

    What was imported before changes nothing. `grader grade` without a path grades what was imported.
    """
    workspace = open_workspace()
    shown = terminal(workspace.config)
    request = ReceiveRequest(
        path=path, lab=lab, system=system, sheet=sheet, file_times=file_times, dry_run=dry_run
    )
    reception = receive(workspace, request)
    shown.note(reason("archive-recognised", system=reception.system, why=reception.why))
    arrivals = tuple(each for each in reception.arrivals if each.is_new or dry_run)
    common = _common_notes(arrivals)
    for said in common:
        shown.note(reason("of-all-attempts", remark=said))
    if arrivals:
        out.print(_table(arrivals, common, shown.speech))
    ignored, more_ignored = _listed(reception.ignored, whole=dry_run)
    for said in ignored:
        shown.note(reason("entry-ignored", entry=said))
    if more_ignored:
        shown.note(reason("more-entries-ignored", count=more_ignored, option="--dry-run"))
    unknown, more_unknown = _listed(reception.unknown, whole=dry_run)
    for said in unknown:
        shown.warn(said)
    if more_unknown:
        shown.warn(reason("more-people-unknown", count=more_unknown, option="--dry-run"))
    if unknown and sheet is None and reception.system == MOODLE.label:
        shown.warn(reason("sheet-has-addresses", option="--sheet"))
    if reception.late_by_file:
        shown.warn(reason("late-by-file-time", count=reception.late_by_file, option="--sheet"))
    _summarise(reception, shown, dry_run=dry_run)
    return _UNKNOWN_PEOPLE if reception.unknown else 0


def _listed(said: tuple[Reason, ...], *, whole: bool) -> tuple[tuple[Reason, ...], int]:
    """Those of ``said`` to list, and how many more there are."""
    listed = said if whole else said[:_LISTED]
    return listed, len(said) - len(listed)


def _common_notes(arrivals: tuple[Arrival, ...]) -> tuple[Reason, ...]:
    """The remarks that hold for each of several ``arrivals``, and would fill their column."""
    if len(arrivals) == 1:
        return ()
    return tuple(
        dict.fromkeys(note for each in arrivals[:1] for note in each.notes if _is_common(note, arrivals))
    )


def _is_common(note: Reason, arrivals: tuple[Arrival, ...]) -> bool:
    return all(note in each.notes for each in arrivals)


def _table(arrivals: tuple[Arrival, ...], common: tuple[Reason, ...], speech: Speech) -> Table:
    """A row for each attempt; a column that says nothing of any is left out."""
    rows = []
    for each in arrivals:
        attempt = each.attempt
        cells = (
            safe_name(attempt.student),
            safe_name(" · ".join(name for name in (each.name, attempt.group) if name)),
            safe_name(attempt.lab),
            moment(attempt.submitted_at.isoformat(), speech.language),
            "" if attempt.number is None else str(attempt.number),
            safe_text(", ".join(each.files), MESSAGE_LIMIT),
            safe_text(speech(_state(each)), MESSAGE_LIMIT),
            safe_text("; ".join(speech(note) for note in each.notes if note not in common), MESSAGE_LIMIT),
        )
        rows.append(cells)
    columns = [column for column in zip(_HEADINGS, *rows, strict=True) if any(column[1:])]
    table = plain_table()
    for code, *_ in columns:
        table.add_column(speech.says(code), overflow="fold")
    for cells in zip(*(column[1:] for column in columns), strict=True):
        table.add_row(*map(Text, cells))
    return table


def _state(arrival: Arrival) -> Reason:
    state = reason("attempt-new" if arrival.is_new else "attempt-known")
    refusal = arrival.attempt.refusal
    return state if refusal is None else reason("attempt-refused", state=state, why=refusal.reason)


def _summarise(reception: Reception, shown: Terminal, *, dry_run: bool) -> None:
    counts = Counter(each.is_new for each in reception.arrivals)
    code = "would-be-imported" if dry_run else "imported"
    shown.note(
        reason(
            code,
            new=reason("new-attempts", count=counts[True]),
            known=counts[False],
            unknown=len(reception.unknown),
            ignored=reason("entries-left-aside", count=len(reception.ignored)),
        )
    )
    if counts[True] and not dry_run:
        shown.note(reason("imported-next", command="`grader grade`"))


app = command_app(import_archive, EXAMPLE)
