"""Brightspace (D2L): exported grades.

``#`` before an id or a user name keeps its zeros in a spreadsheet. A grade column is called
``Item Points Grade <Numeric MaxPoints:10 …>``. The last column must be ``End-of-Line Indicator``, with ``#``
in each row.
"""

import re

from grader.lms.gradebooks.layout import Layout, Request, column_of, columns_of, joined
from grader.lms.gradebooks.people import Key, Own
from grader.lms.sheets import Row, Sheet, decimal_mark_of, number
from grader.lms.words import Columns, Role, System

_TITLE = re.compile(r"(?P<title>.*) Points Grade(?: <[^>]*?(?:MaxPoints:(?P<most>[\d.,]+)[^>]*)?>)?")
_KEPT_ZEROS = "#"


def layout(sheet: Sheet, request: Request) -> Layout:
    """The layout of exported grades. Raises: ``UserError`` for another file, or if no column is the lab's."""
    columns = columns_of(sheet, System.BRIGHTSPACE, [Role.USERNAME, Role.END_OF_LINE])
    grade = column_of(sheet, request, _title)
    match = _TITLE.fullmatch(sheet.headers[grade].strip())
    most = None if match is None or match["most"] is None else number(match["most"])
    rows = tuple(row_number for row_number, _ in sheet.body)
    return Layout(
        system=System.BRIGHTSPACE,
        rows=rows,
        keys=lambda row: _keys(row, columns),
        grade=grade,
        most=lambda _row: most,
        mark=decimal_mark_of(sheet.rows[row][grade] for row in rows) or ".",
        name=lambda row: joined(row, columns, (Role.FIRST_NAME, Role.LAST_NAME)),
    )


def _title(header: str) -> str | None:
    match = _TITLE.fullmatch(header.strip())
    return None if match is None else match["title"]


def _keys(row: Row, columns: Columns) -> tuple[Key, ...]:
    ids = [
        row[columns[role]].strip().removeprefix(_KEPT_ZEROS)
        for role in (Role.IDENTIFIER, Role.USERNAME)
        if role in columns
    ]
    email = [Key(Own.EMAIL, row[columns[Role.EMAIL]])] if Role.EMAIL in columns else []
    return (*(Key(kind, value) for value in ids for kind in (System.BRIGHTSPACE, Own.STUDENT)), *email)
