"""The report of what was submitted and cannot be read."""

from grader.course.workspace import Workspace
from grader.grading.submission import not_graded
from grader.intake import Rejected
from grader.model.report import Report
from grader.model.run import Fault
from grader.model.submission import Submission


def refusal(workspace: Workspace, rejected: Rejected) -> tuple[Submission, Report]:
    """``rejected`` as a submission without files, and its report."""
    submission = Submission(
        student=rejected.student, lab=rejected.lab, language=rejected.language, files=(), path=rejected.path
    )
    rubric = workspace.registry.get(rejected.lab).manifest.rubric
    fault = Fault(verdict=rejected.verdict, reason=rejected.reason)
    return submission, not_graded(submission, fault, rubric.max_score)
