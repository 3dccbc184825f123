"""Classify a path: a class, one lab of a class, or one student's submission."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from grader.errors import UserError
from grader.intake.names import lab_hint, lab_spelled
from grader.intake.tree import Entry, Kind
from grader.languages import by_suffix, installed
from grader.model.text import printable


class Shape(Enum):
    """``CLASS``: a folder of lab folders. ``LAB``: a folder of students. ``STUDENT``: one student's folder."""

    CLASS = auto()
    LAB = auto()
    STUDENT = auto()


@dataclass(frozen=True, slots=True)
class Layout:
    """A shape and its lab; a class has no single lab."""

    shape: Shape
    lab: str = ""


def folder_layout(path: Path, entries: list[Entry], labs: Collection[str], lab: str | None) -> Layout:
    """Classify the folder at ``path`` (absolute) with these ``entries``.

    The first rule that applies decides: its own name is a lab's; it contains a folder with a lab's name; its parent has
    a lab's name; its files look like one student's (all sources are named after one lab, or ``lab`` is given and there
    are headers). Otherwise it is a folder of students if ``lab`` is given, and a class if not.
    """
    wanted = labs if lab is None else [lab]
    folders = {entry.name for entry in entries if entry.kind is Kind.FOLDER}
    if path.name in wanted:
        return Layout(Shape.LAB, path.name)
    if folders & set(wanted):
        return Layout(Shape.CLASS)
    if path.parent.name in wanted:
        return Layout(Shape.STUDENT, path.parent.name)
    spelled = {lab_spelled(entry.stem, wanted) for entry in entries if entry.suffix in by_suffix()}
    alone = spelled.pop() if len(spelled) == 1 else None
    header_suffixes = {suffix for each in installed().values() for suffix in each.header_suffixes}
    headers = any(entry.suffix in header_suffixes for entry in entries)
    if alone is not None:
        return Layout(Shape.STUDENT, alone)
    if lab is None:
        return Layout(Shape.CLASS)
    return Layout(Shape.STUDENT if headers else Shape.LAB, lab)


def file_lab(path: Path, labs: Collection[str], lab: str | None) -> str:
    """The lab of the single file at ``path`` (absolute). Raises: ``UserError`` if it cannot be determined."""
    found = lab or (path.parent.name if path.parent.name in labs else lab_spelled(path.stem, labs))
    if found is None:
        msg = f"The lab of {printable(path.name)} is unknown: neither its name nor its folder is a lab's."
        raise UserError(msg, hint=f"Name it with --lab. {lab_hint(path.stem, labs)}")
    return found
