"""Read a list of people: what each row says about a person."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from grader.errors import UserError
from grader.lms.rosters.identity import ISSUED, OWN, id_in, is_rounded
from grader.lms.sheets import Row, Sheet, read_sheet
from grader.lms.words import Columns, Phrase, Role, System, is_phrase, recognise
from grader.messages import LANGUAGES
from grader.model.reason import Reason, reason
from grader.model.text import printable

_SEVERAL = re.compile(r"[;|]")
_LISTS = {System.PLAIN, System.MOODLE}
"""Systems with lists of people only; the lists of others have a column for each assignment."""

_TEST_STUDENTS = {"student, test", "test student"}
"""The person by whom teachers see a Canvas course as students do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterRow:
    """One person in the list, on ``line``.

    ``own`` are ids that the school gave, the surest first; ``issued`` are ids by the systems that gave them.
    """

    line: int
    own: tuple[str, ...]
    issued: tuple[tuple[System, str], ...]
    name: str = ""
    email: str = ""
    section: str = ""
    language: str = ""
    groups: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterFile:
    """A list that was read: the system that wrote it, its people, and a note about each row that is left out."""

    system: System
    rows: tuple[RosterRow, ...]
    notes: tuple[Reason, ...] = ()


def read_roster(
    data: bytes, *, system: System | None = None, column: str | None = None, codec: str | None = None
) -> RosterFile:
    """Read the list ``data``, of ``system`` if the user names one. ``column`` is the header of the ids that count.

    Raises: ``UserError`` for what is no CSV file, or has no column with ids or addresses.
    """
    sheet = read_sheet(data, codec=codec)
    columns = recognise(sheet.headers, tuple(System) if system is None else (system,))
    if columns is None and column is None:
        raise _unknown(sheet)
    everything = tuple(range(len(sheet.headers)))
    columns = columns or Columns(system=system or System.PLAIN, language="en", index={}, unknown=everything)
    return _Reader(sheet=sheet, columns=columns, chosen=_chosen(sheet, column)).read()


@dataclass(slots=True)
class _Reader:
    sheet: Sheet
    columns: Columns
    chosen: int | None
    notes: list[Reason] = field(default_factory=list)

    def read(self) -> RosterFile:
        system = self.columns.system
        named = {*OWN.get(system, ()), *ISSUED.get(system, {}), Role.EMAIL}
        if self.chosen is None and not named & set(self.columns.index):
            raise _unknown(self.sheet)
        if system in _LISTS and (unread := self._unread()):
            self.notes.append(reason("roster-unread", headers=unread))
        rows = [found for _, row in self.sheet.body if (found := self._row(row)) is not None]
        return RosterFile(system=system, rows=tuple(rows), notes=tuple(self.notes))

    def _row(self, row: Row) -> RosterRow | None:
        """The person in ``row``; ``None`` if there is nobody, which a note says unless the system wrote the row."""
        system = self.columns.system
        issued = tuple(
            (giver, text) for role, giver in ISSUED.get(system, {}).items() if (text := self._id(row, role))
        )
        own = self._own(row)
        found = RosterRow(
            line=row.line,
            own=own,
            issued=issued,
            name=self._name(row),
            email=self._cell(row, Role.EMAIL),
            section=self._cell(row, Role.SECTION),
            language=self._language(row),
            groups=self._names(row, Role.GROUP),
            labels=self._names(row, Role.LABEL),
        )
        if system is System.CANVAS and (not issued or found.name.casefold() in _TEST_STUDENTS):
            return None  # the points possible, remarks about posting, and the student that is none
        if is_phrase(role := self._cell(row, Role.ROLE), Phrase.STAFF_ROLE):
            who = found.name or found.email or ", ".join(own)
            self.notes.append(reason("roster-staff", line=row.line, name=who, role=role))
            return None
        if rounded := next(
            (text for text in (*own, *(text for _, text in issued)) if is_rounded(text)), None
        ):
            self.notes.append(reason("roster-rounded", line=row.line, id=rounded))
            return None
        if not own and not issued and not found.email:
            self.notes.append(reason("roster-without-id", line=row.line, name=found.name))
            return None
        return found

    def _unread(self) -> tuple[str, ...]:
        """The headers of columns that say nothing about people, as far as Grader knows."""
        headers = ((column, printable(self.sheet.headers[column].strip())) for column in self.columns.unknown)
        return tuple(header for column, header in headers if header and column != self.chosen)

    def _own(self, row: Row) -> tuple[str, ...]:
        if self.chosen is not None:
            text = id_in(row[self.chosen], self.columns.system, Role.ID_NUMBER)
            return (text,) if text else ()
        roles = OWN.get(self.columns.system, ())
        return tuple(text for role in roles if (text := self._id(row, role)))

    def _id(self, row: Row, role: Role) -> str:
        return id_in(self._cell(row, role), self.columns.system, role)

    def _cell(self, row: Row, role: Role) -> str:
        return row[self.columns[role]].strip() if role in self.columns else ""

    def _name(self, row: Row) -> str:
        """The name as the list has it; of two columns the first name comes first."""
        parts = (self._cell(row, Role.FIRST_NAME), self._cell(row, Role.LAST_NAME))
        return self._cell(row, Role.FULL_NAME) or " ".join(filter(None, parts))

    def _names(self, row: Row, role: Role) -> tuple[str, ...]:
        """The groups or labels in a cell: separated by ``;`` or ``|``, or else by commas."""
        text = self._cell(row, role)
        parts = _SEVERAL.split(text) if _SEVERAL.search(text) else text.split(",")
        names = (part.strip() for part in parts)
        return tuple(name for name in names if name and not is_phrase(name, Phrase.DEFAULT_GROUP))

    def _language(self, row: Row) -> str:
        text = self._cell(row, Role.LANGUAGE)
        code = _LANGUAGES.get(text.casefold(), "")
        if text and not code:
            self.notes.append(reason("roster-language", line=row.line, text=text, known=tuple(LANGUAGES)))
        return code


_LANGUAGES: Mapping[str, str] = {
    spelled.casefold(): code for code, own in LANGUAGES.items() for spelled in (code, own)
}


def _chosen(sheet: Sheet, column: str | None) -> int | None:
    if column is None:
        return None
    headers = [header.strip() for header in sheet.headers]
    if column.strip() not in headers:
        msg = f"There is no column {printable(column)}."
        raise UserError(msg, hint=f"The headers are: {_listed(headers)}.")
    return headers.index(column.strip())


def _unknown(sheet: Sheet) -> UserError:
    if not sheet.headers:
        return UserError("The file is empty.", hint="Download the list again.")
    msg = "No header of the file names a column of ids or addresses."
    return UserError(msg, hint=f"Name one with --id. The headers are: {_listed(sheet.headers)}.")


def _listed(headers: Collection[str]) -> str:
    return ", ".join(printable(repr(header)) for header in headers)
