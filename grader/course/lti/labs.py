"""The labs of the course as links and columns of a course system."""

from grader.course.rules import course_of
from grader.course.workspace import Workspace
from grader.lms.lti.port import LabItem


def lab_items(workspace: Workspace, launch_url: str) -> tuple[LabItem, ...]:
    """The labs of the course as links and columns; without a course file those of the registry."""
    course, known = course_of(workspace), workspace.registry.labs
    return tuple(
        LabItem(
            lab=lab,
            title=lab,
            url=launch_url,
            most=course.rule(lab).points or known[lab].manifest.rubric.max_score,
        )
        for lab in (course.labs or known)
    )
