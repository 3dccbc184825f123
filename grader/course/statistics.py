"""What a class found hard in a lab: its cases, the lines of its rubric, and mistakes that many made."""

from dataclasses import dataclass

from grader.course.mistakes import Mistake, mistakes
from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.report.case_difficulty import CaseDifficulty, case_difficulties
from grader.report.distribution import LabSummary, lab_summaries


@dataclass(frozen=True, slots=True, kw_only=True)
class LabStatistics:
    """The newest results of everybody for one lab: the hardest case and the most frequent mistake come first."""

    summary: LabSummary
    cases: tuple[CaseDifficulty, ...]
    mistakes: tuple[Mistake, ...]


def statistics(workspace: Workspace, lab: str) -> LabStatistics:
    """The statistics of ``lab``. Raises: ``UserError`` for an unknown lab, or one without results."""
    workspace.registry.get(lab)
    with Records(workspace) as records:
        results = records.latest_all([lab])
        if not results:
            msg = f"No submission for {lab} is graded."
            raise UserError(msg, hint="Grade submissions with `grader grade PATH`.")
        reports = [result.report for result in results]
        (summary,) = lab_summaries(reports)
        return LabStatistics(
            summary=summary,
            cases=case_difficulties(reports),
            mistakes=mistakes(results, records.files),
        )
