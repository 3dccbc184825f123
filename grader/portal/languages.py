"""The language of a page: the visitor's choice, the course's, or one that the browser accepts."""

import contextlib
from collections.abc import Iterable

from grader.course.accounts.sessions import SignedIn
from grader.course.rules import course_of
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.messages import LANGUAGES

_WITHOUT_QUALITY = 1.0


def language_of(workspace: Workspace, cookie: str, accepted: str, signed_in: SignedIn | None) -> str:
    """The first known of: the member's choice, that of the browser's ``cookie``, the course's, an ``accepted`` one."""
    own = signed_in.member.language if signed_in else ""
    wanted = (own, cookie, *_of_course(workspace), *by_preference(accepted))
    return next((language for language in wanted if language in LANGUAGES), "en")


def language_of_program(workspace: Workspace, accepted: str, own: str) -> str:
    """The first known of: those that a program ``accepted``, its person's ``own``, the course's."""
    wanted = (*by_preference(accepted), own, *_of_course(workspace))
    return next((language for language in wanted if language in LANGUAGES), "en")


def by_preference(accepted: str) -> tuple[str, ...]:
    """The languages of the header ``Accept-Language``, without their countries, the best first."""
    found = []
    for item in accepted.split(","):
        name, _, parameters = item.partition(";")
        quality = _quality(parameters)
        if quality > 0:
            found.append((-quality, name.strip().partition("-")[0].lower()))
    return tuple(name for _, name in sorted(found, key=lambda each: each[0]))


def _quality(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    if name.strip() != "q":
        return _WITHOUT_QUALITY
    try:
        return float(value)
    except ValueError:
        return 0.0


def _of_course(workspace: Workspace) -> Iterable[str]:
    # A page must say what is wrong with the course; its language is another matter.
    with contextlib.suppress(UserError):
        yield course_of(workspace).language
    yield workspace.config.results.language
