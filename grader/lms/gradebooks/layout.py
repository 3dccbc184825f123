"""How one gradebook is laid out: where people, grades and feedback stand, and what its cells may hold."""

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

from grader.errors import UserError
from grader.lms.gradebooks.people import Key
from grader.lms.sheets import Row, Sheet
from grader.lms.words import Columns, Role, System, recognise, word_for
from grader.model.reason import Reason


class Scaling(StrEnum):
    """What happens to points if the file's maximum is not that of the lab."""

    REFUSE = "refuse"
    SCALE = "scale"
    AS_IS = "as is"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the user asks for.

    ``titles`` are names by which another system may know the lab. ``column`` is the header of the grade column, if the
    user names it. ``feedback``: feedback is written too.
    """

    titles: tuple[str, ...]
    column: str | None = None
    feedback: bool = True
    scaling: Scaling = Scaling.REFUSE


def _no_text(_row: Row) -> str:
    return ""


def _never(_row: Row) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where things stand in one gradebook.

    ``rows`` are the numbers of the rows of people. ``keys`` gives what identifies the person of a row, ``name`` the
    name in messages, ``most`` the maximum of a row, if it is known. ``closed`` rows take no grade. ``capped``: the
    system takes no grade above the maximum. ``feedback`` is the column of feedback, which is HTML; ``feedback_format``
    that of its format, which gets ``HTML``. ``excused`` is what the system writes for an excused person, ``None`` if
    its file cannot say that.
    """

    system: System
    rows: tuple[int, ...]
    keys: Callable[[Row], tuple[Key, ...]]
    grade: int
    most: Callable[[Row], Decimal | None]
    mark: str
    name: Callable[[Row], str] = _no_text
    closed: Callable[[Row], bool] = _never
    capped: bool = False
    feedback: int | None = None
    feedback_format: int | None = None
    excused: str | None = None
    notes: tuple[Reason, ...] = field(default=())


def column_of(sheet: Sheet, request: Request, title_of: Callable[[str], str | None]) -> int:
    """The column of the lab's grades: the one with a title of ``request.titles``, or the one that the user names.

    ``title_of`` gives the title in a header, ``None`` for a header that is no grade column. Raises: ``UserError``.
    """
    if request.column is not None:
        return named_column(sheet, request.column)
    titles = {
        column: title for column, text in enumerate(sheet.headers) if (title := title_of(text)) is not None
    }
    wanted = {_plain(title) for title in request.titles}
    found = [column for column, title in titles.items() if _plain(title) in wanted]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(repr(sheet.headers[column]) for column in found or titles) or "none"
    problem = "Several columns have" if found else "No column has"
    msg = f"{problem} the title of the lab ({request.titles[0]})."
    raise UserError(msg, hint=f"Name one with --column. Columns of grades: {listed}.")


def named_column(sheet: Sheet, header: str) -> int:
    """The column with this header. Raises: ``UserError``."""
    found = [column for column, text in enumerate(sheet.headers) if text.strip() == header.strip()]
    if len(found) != 1:
        problem = "Several columns are" if found else "No column is"
        msg = f"{problem} called {header!r}."
        raise UserError(msg, hint="Copy the header from the file.")
    return found[0]


def columns_of(sheet: Sheet, system: System, needed: Collection[Role] = ()) -> Columns:
    """The columns of a gradebook of ``system``. Raises: ``UserError`` if a column of ``needed`` is missing."""
    columns = recognise(sheet.headers, [system])
    missing = [role for role in needed if columns is None or role not in columns]
    if columns is None or missing:
        lacks = f": it has no column {word_for(system, missing[0])!r}" if missing else ""
        msg = f"The file is no gradebook of {system.label}{lacks}."
        raise UserError(msg, hint="Download it from there, and name the file as it came.")
    return columns


def joined(row: Row, columns: Columns, roles: Iterable[Role]) -> str:
    """The cells of ``row`` in the columns of ``roles``, as far as there are such."""
    return " ".join(row[columns[role]] for role in roles if role in columns)


def _plain(title: str) -> str:
    """``title`` as titles are compared: regardless of case, and of what stands between words."""
    return re.sub(r"[\W_]+", " ", title).strip().casefold()
