"""The people of the course system of the portal's tests, and how it and the portal come to know each other."""

from grader.course.lti.client import lti_client
from grader.course.workspace import Workspace
from tests.course.lti_course import person, registered
from tools.course_system import CourseSystem
from tools.course_system.services import Content
from tools.portal_course import ADA

_ASSISTANT = "http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#TeachingAssistant"

STUDENT, NEW, ASSISTANT, INSTRUCTOR, GUEST, THIEF = "7", "8", "9", "1", "2", "3"
"""Who they are in the course system; the thief has the address of another student."""


def introduce(system: CourseSystem, workspace: Workspace) -> None:
    """Empty the course system but for its members, and register it."""
    members = [
        dict(each)
        for each in (
            person(STUDENT, "Ada Lovelace", lis_person_sourcedid=ADA),
            person(NEW, "Eve New", locale="zh_CN"),
            person(ASSISTANT, "Tim Assist", "Instructor", lis_person_sourcedid="tina"),
            person(INSTRUCTOR, "Ina Instructor", "Instructor", lis_person_sourcedid="ina"),
            person(GUEST, "Guest", "NonCredit"),
            person(THIEF, "Bob Thief", email="bob@example.edu"),
        )
    ]
    next(each for each in members if each["user_id"] == ASSISTANT)["roles"].append(_ASSISTANT)
    system.content = Content(members=members)
    system.placed.clear()
    lti_client.cache_clear()
    registered(workspace, system)
