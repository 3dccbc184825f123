"""Look up the latest report of one student's work on one lab."""

from dataclasses import dataclass

from grader.course.former import former_overrides
from grader.course.records import Records
from grader.course.visibility import visible_scores
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.model.reason import Reason
from grader.model.report import EngineInfo, Report
from grader.model.submission import SourceFile
from grader.model.text import printable
from grader.report.redact import Audience


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A stored report, what ran it, and the graded files; ``sources`` is empty if the store has no copy of them.

    ``former`` states an override that holds for a former submission.
    """

    report: Report
    engine: EngineInfo
    sources: tuple[SourceFile, ...]
    former: tuple[Reason, ...]


def latest(workspace: Workspace, student: str, lab: str, audience: Audience = Audience.STAFF) -> Shown:
    """The latest report of ``student`` on ``lab``.

    Raises: ``UserError`` if there is none, no such lab, or none that a student may see yet.
    """
    workspace.registry.get(lab)
    with Records(workspace) as records:
        result = records.latest(student, lab)
        if audience is Audience.STUDENT and not _is_visible(workspace, records, student, lab):
            msg = f"The course does not show scores of {lab} to {printable(student)} yet."
            raise UserError(msg, hint=f"See `scores` in course.toml, or `grader publish {lab}`.")
        return Shown(
            report=result.report,
            engine=result.score.engine,
            sources=records.files(result.score.key),
            former=former_overrides(records, [result.score]),
        )


def _is_visible(workspace: Workspace, records: Records, student: str, lab: str) -> bool:
    return (student, lab) in visible_scores(workspace, records, [lab], [student])
