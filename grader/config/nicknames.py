"""Nicknames on published leaderboards: the file that ``[leaderboard] names`` names."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.config.lines import key_lines
from grader.errors import UserError
from grader.model.lookalikes import face
from grader.model.text import printable

ANONYMOUS = "someone"
"""The name of every student who wants none on a board."""

LONGEST = 32
"""The most characters of a nickname."""

_MAX_BYTES = 1 << 20
_FORM = 'Write a nickname in quotes, false for "someone", or true for their own name.'


@dataclass(frozen=True, slots=True, kw_only=True)
class Nicknames:
    """The public name of each student.

    ``chosen`` has the names of the students who chose one; ``by_name``: the others appear under their own
    name, and else as someone. ``source`` is the file the choices were read from, for messages.
    """

    by_name: bool = True
    chosen: Mapping[str, str] = field(default_factory=dict)
    source: str = ""

    def shown(self, student: str) -> str:
        """The public name of ``student``."""
        return self.chosen.get(student, student if self.by_name else ANONYMOUS)

    def refuse_impostors(self, students: Iterable[str]) -> None:
        """Raises: ``UserError`` where a nickname is the name of another one of ``students``."""
        owners = {face(student): student for student in students}
        for student, nickname in self.chosen.items():
            owner = owners.get(face(nickname), student)
            if owner != student:
                msg = (
                    f"{self.source}: the nickname of {printable(student)} is the name of {printable(owner)}."
                )
                raise UserError(msg, hint="Ask for another nickname.")


def load_nicknames(path: Path | None, *, by_name: bool) -> Nicknames:
    """The choices in ``path``; without a file there are none.

    Raises: ``UserError``, one line with file and line, for a file or a nickname that cannot be used.
    """
    if path is None:
        return Nicknames(by_name=by_name)
    name = printable(path.name)
    students, lines = _students(path, name)
    taken = {face(student): student for student in students}
    chosen: dict[str, str] = {}
    for student, choice in students.items():
        if isinstance(choice, bool):
            chosen[student] = student if choice else ANONYMOUS
            continue
        flaw = (
            _flaw(student, choice, taken) if isinstance(choice, str) else "is neither text nor true nor false"
        )
        if flaw:
            msg = f"{name} line {lines['students', student]}: the nickname of {printable(student)} {flaw}."
            raise UserError(msg, hint=_FORM)
        chosen[student] = choice
        taken[face(choice)] = student
    return Nicknames(by_name=by_name, chosen=chosen, source=name)


def _students(path: Path, name: str) -> tuple[dict[str, Any], Mapping[tuple[str | int, ...], int]]:
    try:
        with path.open("rb") as file:
            text = file.read(_MAX_BYTES).decode("utf-8-sig").replace("\r\n", "\n")
        content, lines = tomllib.loads(text), key_lines(text)
    except OSError as error:
        msg = f"The nicknames in {name} cannot be read: {error.strerror}."
        raise UserError(msg, hint="Check [leaderboard] names in grader.toml.") from error
    except (ValueError, RecursionError) as error:
        msg = f"{name} is not TOML: {printable(str(error))}."
        raise UserError(
            msg, hint='Write [students] and below it lines like "student-01" = "Zaphod".'
        ) from error
    students = content.get("students", {})
    if set(content) - {"students"} or not isinstance(students, dict):
        msg = f"{name} must hold one table, [students], and nothing else."
        raise UserError(msg, hint=_FORM)
    return students, lines


def _flaw(student: str, nickname: str, taken: Mapping[str, str]) -> str:
    """The flaw of a nickname, to complete "the nickname of …"; empty if there is none."""
    folded = face(nickname)
    owner = taken.get(folded, student)
    flaws = {
        "is empty": not folded,
        f"has {len(nickname)} characters; the most is {LONGEST}": len(nickname) > LONGEST,
        f"has invisible characters: {printable(nickname)}": not nickname.isprintable(),
        f'is "{ANONYMOUS}", which is the name of everybody without one': folded == face(ANONYMOUS),
        f"is that of {printable(owner)}, or too much like it": owner != student,
    }
    return next((flaw for flaw, holds in flaws.items() if holds), "")
