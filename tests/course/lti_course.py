"""A course that is connected with a course of the tests' course system."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from grader.course.lti.registering import published_keys
from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.lms.lti.keys import new_key
from grader.store.lti_values import NewContext
from grader.store.people import IdSystem, Person, PersonId
from tests.store.examples import NOON, attempt, fast_report, put_score, submission
from tools.course_system import CourseSystem
from tools.course_system.messages import ROLE

LAB = "row-sum"
LAUNCH_URL = "http://127.0.0.1:1/lti/launch"


TOOL_KEY = new_key(NOON)
"""Our key in every test: making one takes a while."""


def person(subject: str, name: str, role: str = "Learner", **more: str) -> Mapping[str, Any]:
    """A row of the course system's roster."""
    address = f"{name.partition(' ')[0].lower()}@example.edu"
    return {"user_id": subject, "name": name, "email": address, "roles": [f"{ROLE}{role}"], **more}


MEMBERS = (
    person("7", "Ada Lovelace", lis_person_sourcedid="ada"),
    person("8", "Bob Brown"),
    person("9", "Cy Young", status="Inactive"),
    person("10", "Dan Dare"),
    person("1", "Ines Instructor", "Instructor", lis_person_sourcedid="ines"),
)


def registered(workspace: Workspace, system: CourseSystem) -> None:
    """Grader and the course system know each other."""
    with Records(workspace) as records:
        records.store.platforms.put(system.registration, TOOL_KEY)
    system.trust(published_keys(workspace))


def connected(workspace: Workspace, system: CourseSystem) -> None:
    """The course system's course is connected, with one linked lab, and Ada is in the roster."""
    registered(workspace, system)
    with Records(workspace) as records:
        (platform,) = records.store.platforms.list()
        context = records.store.platforms.connect(
            NewContext(
                platform=platform.id,
                deployment="1",
                context="course-7",
                title="GPU programming",
                members_url=f"{system.issuer}/members",
                line_items_url=f"{system.issuer}/items",
            )
        )
        records.store.platforms.link(context.id, LAB)
        records.store.people.put_all([known("ada", "7", system), known("bob", "8", system)])


def known(name: str, subject: str, system: CourseSystem) -> Person:
    """A person of the roster whom the course system knows as ``subject``."""
    own = f"{subject}@{system.issuer.removeprefix('http://')}"
    return Person(id=name, ids=(PersonId(system=IdSystem.LTI, value=own),))


def graded(workspace: Workspace, name: str, points: float, at: datetime) -> None:
    """A student submits work that gets ``points``."""
    work = submission(name, text=f"work of {points}")
    with Records(workspace) as records:
        put_score(records.store, work, fast_report(work, score=points))
        came = attempt(name, source=f"upload {work.digest}", submission=work.digest, submitted_at=at)
        records.store.attempts.put_all([came])
