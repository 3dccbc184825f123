"""What is stored about one person: export it, or erase it."""

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from grader import __version__
from grader.course.destination import require_free
from grader.course.publish import EVERYBODY
from grader.course.records import Records
from grader.course.staff import Staff
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.model.text import printable
from grader.report.files import plain_name, write_atomically
from grader.report.json_files import dump
from grader.store.people import IdSystem
from grader.store.person_data import PersonData, SubmittedFile
from grader.store.rulings import Erasure

SCHEMA_VERSION = 1
"""Version of the exported file; raised when readers of the old version would misread the new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """The person with data in ``file``, and how much it is."""

    student: str
    file: Path
    rows: int
    files: int


def export(workspace: Workspace, who: str, file: Path, *, overwrite: bool) -> Exported:
    """Write everything that is stored about ``who`` to a zip file, and nothing about others.

    ``who`` is a student, or an id of another system such as ``moodle:12345``.
    Raises: ``UserError`` if nothing is stored, or ``file`` is there already.
    """
    target = require_free(file, overwrite=overwrite)
    with Records(workspace) as records:
        student, data = _found(records, who)
    write_atomically(target, zipped(content_of(student, data)))
    return Exported(
        student=student, file=target, rows=sum(map(len, data.rows.values())), files=len(data.files)
    )


def exported_data(workspace: Workspace, who: str) -> bytes:
    """The zip file of ``export``. Raises: ``UserError`` if nothing is stored."""
    with Records(workspace) as records:
        return zipped(content_of(*_found(records, who)))


def erase(
    workspace: Workspace, who: str, lab: str | None, staff: Staff, *, confirmed: bool
) -> tuple[str, int]:
    """Remove everything about ``who``, or about their work on ``lab``. The audit list says that it happened.

    Returns: the student, and how many results that were.
    Raises: ``UserError`` if nothing is stored, or without being ``confirmed``.
    """
    where = "" if lab is None else f" for {lab}"
    with Records(workspace) as records:
        student, data = _found(records, who)
        rows = [row for found in data.rows.values() for row in found if lab in {None, row.get("lab")}]
        if not rows:
            msg = f"Nothing of {student}{where} is stored."
            raise UserError(msg, hint="Check the spelling of the lab.")
        if not confirmed:
            submissions = sum(lab in {None, row["lab"]} for row in data.rows.get("submissions", ()))
            msg = f"This removes {submissions} submissions of {student}{where} and their results for good."
            raise UserError(msg, hint="Add --yes to do it.")
        record = staff.decision(EVERYBODY, lab or "", None, Erasure())
        return student, records.store.forget(student, lab, record)


def content_of(student: str, data: PersonData) -> dict[str, bytes]:
    """The files of an export by name."""
    about = {
        "schema_version": SCHEMA_VERSION,
        "grader_version": __version__,
        "created_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "person": student,
        "tables": {name: len(rows) for name, rows in data.rows.items()},
    }
    return {
        "person.json": dump(about),
        **{f"tables/{name}.json": dump(rows) for name, rows in data.rows.items()},
        **{_path(number, each): each.file.data for number, each in enumerate(data.files, start=1)},
    }


def _path(number: int, submitted: SubmittedFile) -> str:
    lab, name = plain_name(submitted.lab), plain_name(submitted.file.name)
    return f"files/{lab}/{submitted.submission[:12]}/{number}-{name}"


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip file with ``files`` by name."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", compression=zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return content.getvalue()


def _found(records: Records, who: str) -> tuple[str, PersonData]:
    """The student that ``who`` names, with their data. Raises: ``UserError`` if nothing is stored."""
    system, _, value = who.partition(":")
    if value and system in set(IdSystem):
        person = records.store.people.by_id(IdSystem(system)).get(value)
        student = who if person is None else person.id
    else:
        student = who
    data = records.store.person_data(student)
    if not data.rows:
        msg = f"Nothing of {printable(who)} is stored."
        raise UserError(msg, hint="Check the spelling of the name.")
    return student, data
