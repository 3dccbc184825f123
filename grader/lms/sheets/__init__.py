"""A CSV file that another program wrote, changed cell by cell: every byte outside of a set cell stays."""

from grader.lms.sheets.encoding import Encoding, decoded
from grader.lms.sheets.numbers import decimal_mark_of, number, written
from grader.lms.sheets.sheet import Cell, Row, Sheet, read_sheet

__all__ = [
    "Cell",
    "Encoding",
    "Row",
    "Sheet",
    "decimal_mark_of",
    "decoded",
    "number",
    "read_sheet",
    "written",
]
