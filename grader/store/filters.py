"""Narrow a statement to one lab or student."""

from typing import Any

from sqlalchemy import ColumnElement, Select, Table, true


def is_of(table: Table, lab: str | None, student: str | None) -> ColumnElement[bool]:
    """Condition: the row of ``table`` is of ``lab`` and ``student``; ``None`` is any."""
    condition: ColumnElement[bool] = true()
    if lab is not None:
        condition &= table.c.lab == lab
    if student is not None:
        condition &= table.c.student == student
    return condition


def narrowed(
    statement: Select[Any], table: Table, lab: str | None, student: str | None = None
) -> Select[Any]:
    """``statement`` on the rows of ``table`` that are of ``lab`` and ``student``; ``None`` is any."""
    return statement if lab is student is None else statement.where(is_of(table, lab, student))
