"""Look up the latest report of one student's work on one lab."""

from dataclasses import dataclass

from grader.course.former import former_overrides
from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.model.reason import Reason
from grader.model.report import EngineInfo, Report
from grader.model.submission import SourceFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A stored report, what ran it, and the graded files; ``sources`` is empty if the store has no copy of them.

    ``former`` states an override that holds for a former submission.
    """

    report: Report
    engine: EngineInfo
    sources: tuple[SourceFile, ...]
    former: tuple[Reason, ...]


def latest(workspace: Workspace, student: str, lab: str) -> Shown:
    """The latest report of ``student`` on ``lab``. Raises: ``UserError`` if there is none, or no such lab."""
    workspace.registry.get(lab)
    with Records(workspace) as records:
        result = records.latest(student, lab)
        return Shown(
            report=result.report,
            engine=result.score.engine,
            sources=records.files(result.score.key),
            former=former_overrides(records, [result.score]),
        )
