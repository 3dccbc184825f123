"""The role of a person from the words of the course system."""

from collections.abc import Collection

from grader.lms.lti.port import LmsRole

_MEMBERSHIP = "/membership"
"""What the address of a role in the course has in it; others are roles at the school, which count for nothing here."""

_ROLES = (
    # Systems give a teaching assistant the role of an instructor besides.
    (LmsRole.ASSISTANT, ("teachingassistant", "teachingassistantsection", "grader")),
    (LmsRole.INSTRUCTOR, ("instructor", "administrator", "contentdeveloper")),
    (LmsRole.STUDENT, ("learner", "student")),
    (LmsRole.OBSERVER, ("mentor", "manager", "officer")),
)
"""Each role, and the last words of the addresses that mean it; the first that is found counts."""


def role_in_course(roles: Collection[object]) -> LmsRole | None:
    """The role of a person with these LTI ``roles``; ``None`` if none of them is one in the course.

    Short names such as ``Learner`` are roles in the course. A site's administrator has no role in a course.
    """
    words = {
        each.rsplit("#", 1)[-1].casefold()
        for each in roles
        if isinstance(each, str) and (_MEMBERSHIP in each or ":" not in each)
    }
    return next((role for role, names in _ROLES if words.intersection(names)), None)
