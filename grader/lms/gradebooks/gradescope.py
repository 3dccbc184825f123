"""Gradescope: the grades of one assignment ("Download Grades", CSV)."""

from grader.lms.gradebooks.layout import Layout, Request, columns_of, joined, named_column
from grader.lms.gradebooks.people import Key, Own
from grader.lms.sheets import Row, Sheet, decimal_mark_of, number
from grader.lms.words import Columns, Role, System


def layout(sheet: Sheet, request: Request) -> Layout:
    """The layout of a file of grades. Raises: ``UserError`` for another file."""
    columns = columns_of(sheet, System.GRADESCOPE, [Role.IDENTIFIER, Role.GRADE])
    grade = columns[Role.GRADE] if request.column is None else named_column(sheet, request.column)
    rows = tuple(row_number for row_number, _ in sheet.body)
    return Layout(
        system=System.GRADESCOPE,
        rows=rows,
        keys=lambda row: _keys(row, columns),
        grade=grade,
        most=lambda row: number(row[columns[Role.MAX_GRADE]]) if Role.MAX_GRADE in columns else None,
        mark=decimal_mark_of(sheet.rows[row][grade] for row in rows) or ".",
        name=lambda row: joined(row, columns, (Role.FULL_NAME, Role.FIRST_NAME, Role.LAST_NAME)),
    )


def _keys(row: Row, columns: Columns) -> tuple[Key, ...]:
    sid = row[columns[Role.IDENTIFIER]]
    email = [Key(Own.EMAIL, row[columns[Role.EMAIL]])] if Role.EMAIL in columns else []
    return (Key(System.GRADESCOPE, sid), Key(Own.STUDENT, sid), *email)
