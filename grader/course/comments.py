"""Comments of staff at lines of a submission; reusable texts stand in ``grader.toml``."""

import re

from grader.course.records import Records
from grader.course.staff import Staff, store
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.model.submission import SourceFile
from grader.model.text import printable
from grader.store.rulings import LineComment

_LOCATION = re.compile(r"(?:(?P<file>.+):)?(?P<line>[0-9]{1,9})")


def comment(  # noqa: PLR0913 - a decision and its parts
    workspace: Workspace, student: str, lab: str, location: str, *, text: str, by: str
) -> LineComment:
    """Put ``text`` beside a line of the student's latest submission; an empty text withdraws the comments there.

    ``location`` is ``FILE:LINE``, or ``LINE`` of a submission with one file. The comment stays with this content.
    Raises: ``UserError`` if nothing is graded, or the submission has no such line.
    """
    workspace.registry.get(lab)
    with Records(workspace) as records:
        key = records.latest(student, lab).score.key
        file, line = _located(location, records.files(key), student)
        ruling = LineComment(file=file, line=line, text=text.strip())
        staff = Staff(because=ruling.text or location, by=by)
        store(records, staff.decision(student, lab, key.digest, ruling), "comment")
    return ruling


def named(workspace: Workspace, name: str) -> str:
    """The reusable comment ``name``. Raises: ``UserError`` if there is none."""
    known = workspace.config.results.comments
    if name not in known:
        msg = f"There is no comment named {printable(name)}."
        listed = ", ".join(map(printable, known))
        raise UserError(msg, hint=f"Known: {listed}." if known else "Write it in [results.comments].")
    return known[name]


def _located(location: str, files: tuple[SourceFile, ...], student: str) -> tuple[str, int]:
    found = _LOCATION.fullmatch(location.strip())
    by_name = {file.name: file for file in files}
    if found is None:
        msg = f"{printable(location)} is no line of a file."
        raise UserError(msg, hint="Write FILE:LINE, as in main.cu:12.")
    name = found["file"] or (files[0].name if len(files) == 1 else "")
    if name not in by_name:
        msg = f"The latest submission of {student} has no file {printable(name)}."
        raise UserError(msg, hint=f"It has {', '.join(map(printable, by_name)) or 'no stored file'}.")
    line, length = int(found["line"]), len(by_name[name].data.splitlines())
    if not 1 <= line <= length:
        msg = f"{printable(name)} has {length} lines, and no line {line}."
        raise UserError(msg, hint="Count from 1, as editors do.")
    return name, line
