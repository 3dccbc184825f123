"""Grades for other systems: into the file that the other system wrote, or in a format of programs."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from starlette.responses import Response

from grader.course.course_labs import student_labs
from grader.course.export import GradebookRequest, export_gradebook
from grader.course.export_documents import (
    ClassroomScores,
    Reader,
    Target,
    export_csv,
    export_junit,
    export_scores,
)
from grader.course.feedback_zip import ZipRequest, feedback_zip
from grader.course.rules import course_of
from grader.errors import UserError
from grader.lms.gradebooks import FORMATS, Scaling
from grader.lms.words import System
from grader.messages import Speech
from grader.model.reason import Reason, reason
from grader.policy.access import Scope
from grader.portal import drafts
from grader.portal.answers import download, page
from grader.portal.asked import Asked
from grader.portal.forms import NOT_FAILED, Failed, chosen_file, shown_or_again
from grader.portal.page import Page
from grader.report.redact import Audience

_HERE = "/exports"
_SYSTEMS = {system.value: system for system in FORMATS}
_SCALINGS = {scaling.value: scaling for scaling in Scaling}

_SCALING_TEXTS = {
    Scaling.REFUSE.value: "staff-scaling-refuse",
    Scaling.SCALE.value: "staff-scaling-scale",
    Scaling.AS_IS.value: "staff-scaling-as-is",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A file that an export made: its name and content, what it says in one line, and notes."""

    name: str
    data: bytes
    said: Reason
    notes: tuple[Reason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a form asks for, as the address of the download repeats it."""

    kind: str
    token: str
    fields: dict[str, str]

    @property
    def address(self) -> str:
        """Where the file is downloaded."""
        return f"{_HERE}/{self.kind}/{self.token}?{urlencode(self.fields)}"


def exports(
    asked: Asked, failed: Failed = NOT_FAILED, *, made: Made | None = None, wanted: Wanted | None = None
) -> Response:
    """The forms, and what an export of an uploaded file would write."""
    return page(
        asked,
        "exports.html.j2",
        systems=tuple(_SYSTEMS),
        labs=student_labs(asked.workspace, course_of(asked.workspace)),
        scalings=_SCALING_TEXTS,
        lab=asked.query.get("lab", ""),
        made=made,
        wanted=wanted,
        failed=failed,
    )


def upload(asked: Asked) -> Response:
    """Show what the export into the uploaded file would change."""
    kind = asked.path["kind"]
    fields = {name: value.strip() for name, value in asked.form.fields if value.strip()}

    def show() -> Response:
        wanted = Wanted(kind=kind, token=drafts.keep(asked, chosen_file(asked, "file")), fields=fields)
        return exports(asked, made=_made(asked, wanted), wanted=wanted)

    return shown_or_again(asked, kind, show, exports)


def get(asked: Asked) -> Response:
    """The file that was shown."""
    made = _made(asked, Wanted(kind=asked.path["kind"], token=asked.path["token"], fields=dict(asked.query)))
    return download(made.name, made.data)


def grades(asked: Asked) -> Response:
    """The grades of all labs, or of one, as CSV."""
    labs = [asked.query["lab"]] if asked.query.get("lab") else []
    for lab in labs:
        asked.workspace.registry.get(lab)
    return _written("grades.csv", lambda target: export_csv(asked.workspace, labs, target), "text/csv")


def results(asked: Asked) -> Response:
    """The newest results as JUnit XML."""
    labs = [asked.query["lab"]] if asked.query.get("lab") else []
    reader = Reader(audience=Audience.STAFF, speech=Speech(asked.visitor.language))
    return _written(
        "results.xml", lambda target: export_junit(asked.workspace, labs, reader, target), "application/xml"
    )


def _written(name: str, write: Callable[[Target], object], type: str) -> Response:  # noqa: A002 - MIME's word
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, name)
        write(Target(file=file))
        return download(name, file.read_bytes(), type)


def _made(asked: Asked, wanted: Wanted) -> Made:
    """The file for what is wanted. Raises: ``UserError``."""
    if wanted.kind not in _MAKERS:
        msg = "There is no such export."
        raise UserError(msg)
    source = drafts.find(asked, wanted.token)
    lab = wanted.fields.get("lab", "")
    asked.workspace.registry.get(lab)
    with tempfile.TemporaryDirectory() as folder:
        return _MAKERS[wanted.kind](asked, wanted.fields, source, Path(folder))


def _gradebook(asked: Asked, fields: dict[str, str], source: Path, folder: Path) -> Made:
    if fields.get("system") not in _SYSTEMS:
        msg = "Choose the system that wrote the file."
        raise UserError(msg)
    output = folder / f"{source.stem}-graded{source.suffix}"
    exported = export_gradebook(
        asked.workspace,
        GradebookRequest(
            system=System(fields["system"]),
            file=source,
            lab=fields["lab"],
            output=output,
            column=fields.get("column") or None,
            feedback="feedback" in fields,
            scaling=_SCALINGS.get(fields.get("scaling", ""), Scaling.REFUSE),
        ),
    )
    said = reason("staff-export-grades", count=exported.changed, same=exported.same)
    return Made(name=output.name, data=output.read_bytes(), said=said, notes=exported.notes)


def _feedback(asked: Asked, fields: dict[str, str], source: Path, folder: Path) -> Made:
    output = folder / f"{fields['lab']}-feedback.zip"
    packed = feedback_zip(asked.workspace, ZipRequest(download=source, file=output, lab=fields["lab"]))
    said = reason("staff-export-feedback", count=packed.people)
    return Made(name=output.name, data=output.read_bytes(), said=said, notes=packed.notes)


def _scores(asked: Asked, fields: dict[str, str], source: Path, folder: Path) -> Made:
    output = folder / "scores.json"
    scores = ClassroomScores(
        file=source, classroom=fields.get("classroom", ""), assignment=fields.get("assignment", "")
    )
    notes = export_scores(asked.workspace, scores, fields["lab"], Target(file=output))
    return Made(name=output.name, data=output.read_bytes(), said=reason("staff-export-scores"), notes=notes)


_MAKERS: dict[str, Callable[[Asked, dict[str, str], Path, Path], Made]] = {
    "gradebook": _gradebook,
    "feedback": _feedback,
    "scores": _scores,
}
"""What makes each kind of file."""

ROUTES = (
    Page(path=_HERE, endpoint=exports, scope=Scope.EXPORT, label="staff-exports"),
    Page(path=f"{_HERE}/grades.csv", endpoint=grades, scope=Scope.EXPORT),
    Page(path=f"{_HERE}/results.xml", endpoint=results, scope=Scope.EXPORT),
    Page(path=f"{_HERE}/{{kind}}", endpoint=upload, scope=Scope.EXPORT, methods=("POST",), takes_files=True),
    Page(path=f"{_HERE}/{{kind}}/{{token}}", endpoint=get, scope=Scope.EXPORT),
)
