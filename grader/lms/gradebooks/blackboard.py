"""Blackboard: the gradebook for work offline, CSV or tab-separated UTF-16.

A grade column is called ``Title [Total Pts: 10 Score] |1281892``; without the number Blackboard makes a new column. A
file of one column also has feedback and its format.
"""

import re

from grader.lms.gradebooks.layout import Layout, Request, column_of, columns_of, joined
from grader.lms.gradebooks.people import Key, Own
from grader.lms.sheets import Row, Sheet, decimal_mark_of, number
from grader.lms.words import Columns, Role, System
from grader.model.reason import reason

_TITLE = re.compile(r"(?P<title>.*) \[Total Pts: (?:up to )?(?P<most>[\d.,]+)[^\]]*\](?P<id> ?\|\d+)?")


def layout(sheet: Sheet, request: Request) -> Layout:
    """The layout of a gradebook. Raises: ``UserError`` for another file, or if no column is the lab's."""
    columns = columns_of(sheet, System.BLACKBOARD, [Role.USERNAME])
    grade = column_of(sheet, request, _title)
    rows = tuple(row_number for row_number, _ in sheet.body)
    match = _TITLE.fullmatch(sheet.headers[grade].strip())
    most = None if match is None else number(match["most"])
    has_id = match is not None and match["id"] is not None
    return Layout(
        system=System.BLACKBOARD,
        rows=rows,
        keys=lambda row: _keys(row, columns),
        grade=grade,
        most=lambda _row: most,
        mark=decimal_mark_of(sheet.rows[row][grade] for row in rows) or ".",
        name=lambda row: joined(row, columns, (Role.FIRST_NAME, Role.LAST_NAME)),
        feedback=columns.index.get(Role.FEEDBACK),
        feedback_format=columns.index.get(Role.FEEDBACK_FORMAT),
        notes=() if has_id else (reason("export-column-without-id", column=sheet.headers[grade]),),
    )


def _title(header: str) -> str | None:
    match = _TITLE.fullmatch(header.strip())
    return None if match is None else match["title"]


def _keys(row: Row, columns: Columns) -> tuple[Key, ...]:
    login = row[columns[Role.USERNAME]]
    own = [Key(Own.STUDENT, row[columns[Role.ID_NUMBER]])] if Role.ID_NUMBER in columns else []
    return (Key(System.BLACKBOARD, login), Key(Own.STUDENT, login), *own)
