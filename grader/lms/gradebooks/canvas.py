"""Canvas: the gradebook of a course ("Export entire gradebook").

A grade column is called ``Title (assignment id)``; without the id Canvas makes a new assignment. Below the headers
stand a row about manual posting, if anything is hidden, and one with the points possible. Canvas takes ``EX`` for
excused people, and ``N/A`` where the assignment is not assigned to them. Source: ``lib/gradebook_exporter.rb``.
"""

import re
from collections.abc import Mapping

from grader.lms.gradebooks.layout import Layout, Request, column_of, columns_of, joined
from grader.lms.gradebooks.people import Key, Own
from grader.lms.sheets import Row, Sheet, decimal_mark_of, number
from grader.lms.words import Columns, Role, System
from grader.model.reason import reason

_TITLE = re.compile(r"(?P<title>.*) \(\d+\)")
_POINTS_POSSIBLE = "Points Possible"
_EXCUSED = "EX"
_NOT_ASSIGNED = "N/A"
_NAMES = (Role.FULL_NAME, Role.FIRST_NAME, Role.LAST_NAME)
_TEST_STUDENT = "Student, Test"
"""The person by whom teachers see a course as students do; Canvas puts them at the end."""

_KINDS: Mapping[Role, System | Own] = {
    Role.IDENTIFIER: System.CANVAS,
    Role.ID_NUMBER: Own.STUDENT,
    Role.USERNAME: Own.STUDENT,
}


def layout(sheet: Sheet, request: Request) -> Layout:
    """The layout of a gradebook. Raises: ``UserError`` for another file, or if no column is the lab's."""
    columns = columns_of(sheet, System.CANVAS, [Role.IDENTIFIER])
    grade = column_of(sheet, request, _title)
    possible = next((row for _, row in sheet.body if _POINTS_POSSIBLE in row[0]), None)
    rows = tuple(
        row_number
        for row_number, row in sheet.body
        if row[columns[Role.IDENTIFIER]].strip() and joined(row, columns, _NAMES) != _TEST_STUDENT
    )
    cells = (text for _, row in sheet.body for text in row.values)
    most = None if possible is None else number(possible[grade])
    return Layout(
        system=System.CANVAS,
        rows=rows,
        keys=lambda row: _keys(row, columns),
        grade=grade,
        most=lambda _row: most,
        mark=decimal_mark_of(cells) or ("," if sheet.separator == ";" else "."),
        name=lambda row: joined(row, columns, _NAMES),
        closed=lambda row: row[grade].strip() == _NOT_ASSIGNED,
        excused=_EXCUSED,
        notes=() if most is not None else (reason("export-no-maximum", system="Canvas"),),
    )


def _title(header: str) -> str | None:
    match = _TITLE.fullmatch(header.strip())
    return None if match is None else match["title"]


def _keys(row: Row, columns: Columns) -> tuple[Key, ...]:
    found = [Key(kind, row[columns[role]]) for role, kind in _KINDS.items() if role in columns]
    # At most schools the login is the address.
    login = [Key(Own.EMAIL, row[columns[Role.USERNAME]])] if Role.USERNAME in columns else []
    return (*found, *login)
