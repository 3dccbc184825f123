"""Moodle: the grading worksheet of one assignment ("Download grading worksheet").

Moodle finds the columns by their headers in the language of the user who uploads the file, and the person by the
number in the first column. It leaves out, without a word, grades above the maximum, of locked people, and those that
changed in Moodle more than a minute after the time in the file. Source: ``mod/assign/feedback/offline``.
"""

import re
from decimal import Decimal

from grader.errors import UserError
from grader.lms.archives.moodle import ParticipantFolder
from grader.lms.gradebooks.layout import Layout, Request, columns_of, joined, named_column
from grader.lms.gradebooks.people import Key, Own
from grader.lms.sheets import Row, Sheet, decimal_mark_of, number
from grader.lms.words import Columns, Phrase, Role, System, decimal_mark, is_phrase, starts_with_phrase
from grader.model.reason import Reason, reason
from grader.model.text import printable

_NUMBER = re.compile(r"\d+$")
_NEVER = {"", "-"}
"""What stands where something was never changed."""

_DATES_THAT_MOODLE_READS = "en"
"""Moodle writes dates in the language of the user, and reads them in English only."""

_NOT_IN_FOLDERS = str.maketrans(dict.fromkeys('_/\\:*?"<>|', " "))
"""An underscore ends the name of a folder; the others are not allowed in one."""

_OWN = {Role.ID_NUMBER: Own.STUDENT, Role.USERNAME: Own.STUDENT, Role.EMAIL: Own.EMAIL}


def layout(sheet: Sheet, request: Request) -> Layout:
    """The layout of a worksheet. Raises: ``UserError`` for another file, and for an assignment without points."""
    columns = columns_of(sheet, System.MOODLE)
    grade = _grade_column(sheet, columns, request)
    rows = tuple(row_number for row_number, _ in sheet.body)
    numbers = {grade, columns.index.get(Role.MAX_GRADE, grade)}
    mark = decimal_mark_of(sheet.rows[row][column] for row in rows for column in numbers)
    return Layout(
        system=System.MOODLE,
        rows=rows,
        keys=lambda row: _keys(row, columns),
        grade=grade,
        most=lambda row: _most(row, columns),
        mark=mark or decimal_mark(columns.language),
        name=lambda row: row[columns.index.get(Role.FULL_NAME, _identifier(columns))],
        closed=lambda row: _is_locked(row, columns),
        capped=True,
        feedback=columns.index.get(Role.FEEDBACK),
        notes=_notes(sheet, columns, rows),
    )


def _grade_column(sheet: Sheet, columns: Columns, request: Request) -> int:
    if request.column is not None:
        return named_column(sheet, request.column)
    if Role.GRADE not in columns:
        listed = ", ".join(repr(printable(text)) for text in sheet.headers)
        msg = "No header of the file means 'Grade' in a language that Grader knows."
        raise UserError(msg, hint=f"Name the column with --column. The headers are: {listed}.")
    return columns[Role.GRADE]


def _identifier(columns: Columns) -> int:
    """The column of identifiers: the first, also in a language that is not known."""
    return columns.index.get(Role.IDENTIFIER, 0)


def _keys(row: Row, columns: Columns) -> tuple[Key, ...]:
    identifier = row[_identifier(columns)].strip()
    rest = starts_with_phrase(identifier, Phrase.PARTICIPANT)
    participant = _NUMBER.search(identifier if rest is None else rest)
    own = (Key(kind, row[columns[role]]) for role, kind in _OWN.items() if role in columns)
    return (*([Key(System.MOODLE, participant[0])] if participant else []), *own)


def _is_locked(row: Row, columns: Columns) -> bool:
    column = columns.index.get(Role.GRADE_CAN_BE_CHANGED)
    return column is not None and is_phrase(row[column], Phrase.NO)


def participants(sheet: Sheet) -> tuple[tuple[ParticipantFolder, tuple[Key, ...]], ...]:
    """The people of a worksheet: the folder that Moodle would give each, and what identifies them.

    Raises: ``UserError`` if ``sheet`` is no worksheet.
    """
    columns = columns_of(sheet, System.MOODLE, [Role.IDENTIFIER])
    found = []
    for _, row in sheet.body:
        keys = _keys(row, columns)
        number = next((key.value for key in keys if key.kind is System.MOODLE), None)
        if number is not None:
            name = joined(row, columns, [Role.FULL_NAME]).translate(_NOT_IN_FOLDERS).strip()
            folder = f"{name or 'Participant'}_{number}_assignsubmission_file"
            found.append((ParticipantFolder(folder=folder, name=name, number=number), keys))
    return tuple(found)


def _most(row: Row, columns: Columns) -> Decimal | None:
    if Role.MAX_GRADE not in columns:
        return None
    text = row[columns[Role.MAX_GRADE]].strip()
    most = number(text)
    if most is None and text not in _NEVER:
        msg = f"Line {row.line}: the assignment is graded by the scale {text!r}, not by points."
        raise UserError(
            msg, hint="Set the type of its grade to points in Moodle, and download the worksheet again."
        )
    return most


def _notes(sheet: Sheet, columns: Columns, rows: tuple[int, ...]) -> tuple[Reason, ...]:
    notes = [reason("export-moodle-minute")]
    if columns.unknown:
        headers = tuple(printable(sheet.headers[column]) for column in columns.unknown)
        notes.append(reason("export-unknown-headers", headers=headers, option="--column"))
    modified = columns.index.get(Role.GRADE_MODIFIED)
    if modified is not None and columns.language != _DATES_THAT_MOODLE_READS:
        graded = sum(sheet.rows[row][modified].strip() not in _NEVER for row in rows)
        notes += [reason("export-moodle-dates", count=graded)] if graded else []
    return tuple(notes)
