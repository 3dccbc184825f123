"""Read the files of a submission as they go to a server: names below their common folder, and bytes."""

import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from grader.errors import UserError
from grader.intake.layout import file_lab
from grader.intake.names import lab_hint, lab_spelled
from grader.model.text import printable

MOST_FILES = 64
"""More files are no submission to a lab, but a folder named by mistake."""

MOST_BYTES = 8 * 1024 * 1024
"""All files together. The course's own limit may be lower; its server says so."""


def read_files(paths: Sequence[Path]) -> Mapping[str, bytes]:
    """The files at ``paths``, and below those that are folders, by their names; hidden ones are left out.

    Raises: ``UserError`` for a path without files, for one that cannot be read, and for too many files or bytes.
    """
    files = [found.absolute() for path in paths for found in _files(path)]
    if len(files) > MOST_FILES:
        msg = f"These are {len(files)} files; a submission has at most {MOST_FILES}."
        raise UserError(msg, hint="Name the files of your submission.")
    common = Path(os.path.commonpath([file.parent for file in files]))
    contents: dict[str, bytes] = {}
    for file in files:
        contents[_name(file.relative_to(common))] = _bytes(file)
    if sum(map(len, contents.values())) > MOST_BYTES:
        msg = f"These files have more than {MOST_BYTES // 1024 // 1024} MiB."
        raise UserError(msg, hint="Submit sources only.")
    return contents


def lab_of(paths: Sequence[Path], labs: Collection[str], lab: str | None) -> str:
    """``lab``, or the one of ``labs`` that the files or their folders are named after. Raises: ``UserError``."""
    if lab is not None:
        if lab not in labs:
            msg = f"The course has no lab {printable(lab)}."
            raise UserError(msg, hint=lab_hint(lab, labs))
        return lab
    if len(paths) == 1 and paths[0].is_file():
        return file_lab(paths[0].absolute(), labs, None)
    found = {name for path in paths if (name := _named(path.absolute(), labs)) is not None}
    if len(found) != 1:
        msg = (
            "The files name no lab."
            if not found
            else f"The files name several labs: {', '.join(sorted(found))}."
        )
        raise UserError(msg, hint="Name it with --lab.")
    return found.pop()


def _named(path: Path, labs: Collection[str]) -> str | None:
    if path.is_dir():
        inner = {lab_spelled(each.stem, labs) for each in _files(path)} - {None}
        return path.name if path.name in labs else inner.pop() if len(inner) == 1 else None
    return path.parent.name if path.parent.name in labs else lab_spelled(path.stem, labs)


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = [
        each
        for each in sorted(path.rglob("*"))
        if each.is_file() and not any(_hidden(part) for part in each.relative_to(path).parts)
    ]
    if not found:
        msg = f"{printable(str(path))} has no file."
        raise UserError(msg, hint="Name the files of your submission.")
    return found


def _hidden(part: str) -> bool:
    return part.startswith(".") or part == "__pycache__"


def _name(path: Path) -> str:
    name = path.as_posix()
    if not name.isprintable():
        msg = f"The file name {printable(name)} has characters that do not show."
        raise UserError(msg, hint="Rename the file.")
    return name


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        msg = f"{printable(str(path))} cannot be read: {error.strerror}."
        raise UserError(msg, hint="Check the path and its permissions.") from error
