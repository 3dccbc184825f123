"""Look up the latest report of one student's work on one lab."""

from dataclasses import dataclass
from pathlib import Path

from grader.course.report_store import ReportStore
from grader.course.select import submissions_at
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.model.report import EngineInfo, Report
from grader.model.submission import SourceFile
from grader.store.port import GradedRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A stored report, what ran it, and the graded files; ``sources`` is empty if they have changed since."""

    report: Report
    engine: EngineInfo
    sources: tuple[SourceFile, ...]


def latest(workspace: Workspace, student: str, lab: str) -> Shown:
    """The latest report of ``student`` on ``lab``. Raises: ``UserError`` if there is none, or no such lab."""
    workspace.registry.get(lab)
    with ReportStore(workspace) as store:
        record = store.latest(student, lab)
    return Shown(report=record.report, engine=record.key.engine, sources=_sources(workspace, record))


def _sources(workspace: Workspace, record: GradedRecord) -> tuple[SourceFile, ...]:
    """The graded files, if they are unchanged: the store keeps their digest and no copy."""
    try:
        found = submissions_at(Path(record.report.file), workspace, record.key.lab)
    except UserError:
        return ()
    return next((s.files for s in found.submissions if s.digest == record.key.submission), ())
