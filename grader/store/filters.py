"""Narrow a statement to one lab, and to one student or several."""

from typing import Any

from sqlalchemy import ColumnElement, Select, Table, true

from grader.store.values import Students


def is_of(table: Table, lab: str | None, student: Students) -> ColumnElement[bool]:
    """Condition: the row of ``table`` is of ``lab`` and ``student``; ``None`` is any."""
    condition: ColumnElement[bool] = true()
    if lab is not None:
        condition &= table.c.lab == lab
    if isinstance(student, str):
        condition &= table.c.student == student
    elif student is not None:
        condition &= table.c.student.in_(student)
    return condition


def narrowed(statement: Select[Any], table: Table, lab: str | None, student: Students = None) -> Select[Any]:
    """``statement`` on the rows of ``table`` that are of ``lab`` and ``student``; ``None`` is any."""
    return statement if lab is student is None else statement.where(is_of(table, lab, student))
