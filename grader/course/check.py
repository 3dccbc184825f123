"""Check one's own submissions on the public cases; nothing is kept."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass

from grader.config.settings import EngineChoice
from grader.course.environment import open_environment
from grader.course.notifier import Notifier
from grader.course.workspace import Workspace
from grader.errors import InfrastructureError
from grader.grading.rung_cache import rung_cache
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.intake import Intake
from grader.model.report import EngineInfo, Report
from grader.model.submission import Submission


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The report on one submission, and what ran it."""

    submission: Submission
    report: Report
    engine: EngineInfo


def check(
    workspace: Workspace, intake: Intake, engine: EngineChoice | None, notifier: Notifier
) -> Iterator[Checked]:
    """Yield each submission's report as it is finished; a warning replaces one that the machine failed to give.

    Raises: ``UserError`` if this machine cannot grade.
    """
    with open_environment(workspace, engine, None, notifier, trusted=True, probe=False) as environment:
        rungs = RungModules(environment, rung_cache())
        for submission in intake.submissions:
            lab = workspace.registry.get(submission.lab)
            try:
                with notifier.status(f"checking {submission.path} …"):
                    report = grade(lab, submission, rungs, secrets.randbits(128), public_only=True)
            except InfrastructureError as error:
                notifier.warn(f"{submission.path} could not be checked: {error}")
            else:
                yield Checked(submission=submission, report=report, engine=environment.engine_info)
