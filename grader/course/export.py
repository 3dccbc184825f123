"""Put the grades of a lab into the gradebook that another system wrote."""

from dataclasses import dataclass
from pathlib import Path

from grader.course.destination import require_free
from grader.course.entries import entries
from grader.course.records import Records
from grader.course.select import require_exists
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.lms.gradebooks import FORMATS, Request, Scaling, fill
from grader.lms.sheets import Sheet, read_sheet
from grader.lms.words import System
from grader.model.reason import Reason
from grader.model.text import printable
from grader.report.files import write_atomically


@dataclass(frozen=True, slots=True, kw_only=True)
class GradebookRequest:
    """What to fill in: ``file`` is the gradebook as ``system`` wrote it.

    ``output`` is the file to write, by default one beside it. ``column`` is the header of the grade column and
    ``codec`` the encoding, where they are not found. ``language`` is that of all feedback.
    """

    system: System
    file: Path
    lab: str
    output: Path | None = None
    overwrite: bool = False
    column: str | None = None
    codec: str | None = None
    feedback: bool = True
    scaling: Scaling = Scaling.REFUSE
    language: str | None = None

    @property
    def target(self) -> Path:
        """The file to write."""
        return self.output or self.file.with_name(f"{self.file.stem}-graded{self.file.suffix}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What was written, how many grades are new or were there, and notes about everything that was left."""

    file: Path
    changed: int
    same: int
    notes: tuple[Reason, ...]


def export_gradebook(workspace: Workspace, request: GradebookRequest) -> Exported:
    """Write a copy of the gradebook with the grades of the lab. Only cells of grades and feedback differ.

    Raises: ``UserError`` for a file that is no such gradebook, a lab or column that is not found, a maximum that is not
    the lab's, or a file that is there already.
    """
    manifest = workspace.registry.get(request.lab).manifest
    sheet = _read(request)
    target = require_free(request.target, overwrite=request.overwrite)
    asked = Request(
        titles=(request.lab, manifest.title),
        column=request.column,
        feedback=request.feedback,
        scaling=request.scaling,
    )
    layout = FORMATS[request.system](sheet, asked)
    with Records(workspace) as records:
        found = entries(workspace, records, request.lab, request.language)
    filled = fill(sheet, layout, found, asked)
    write_atomically(target, filled.data)
    return Exported(file=target, changed=filled.changed, same=filled.same, notes=filled.notes)


def _read(request: GradebookRequest) -> Sheet:
    path = require_exists(request.file)
    try:
        data = path.read_bytes()
    except OSError as error:
        msg = f"{printable(str(path))} cannot be read: {error.strerror}."
        raise UserError(msg, hint="Name the CSV file that the other system wrote.") from error
    # Names are not compared, and every byte of theirs stays: their encoding need not be known.
    return read_sheet(data, codec=request.codec, any_legacy=True)
