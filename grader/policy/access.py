"""Who may do what: roles and their scopes, as data."""

from collections.abc import Mapping
from enum import StrEnum


class Role(StrEnum):
    """What a person is in the course."""

    STUDENT = "student"
    ASSISTANT = "assistant"
    INSTRUCTOR = "instructor"
    OBSERVER = "observer"


class Scope(StrEnum):
    """What a person, or a token of theirs, may do."""

    SELF = "self"
    SUBMIT = "submit"
    READ_OWN = "read:own"
    READ_COURSE = "read:course"
    GRADE = "grade"
    ROSTER = "roster"
    EXPORT = "export"
    MANAGE_COURSE = "manage:course"
    OPERATE = "operate"


SCOPE_MEANINGS: Mapping[Scope, str] = {
    Scope.SELF: "see and change one's own account: language, sessions, tokens",
    Scope.SUBMIT: "submit work",
    Scope.READ_OWN: "read one's own attempts and results",
    Scope.READ_COURSE: "read everybody's attempts and results",
    Scope.GRADE: "override, excuse, extend, comment, answer, regrade",
    Scope.ROSTER: "read and import the roster, and invite people",
    Scope.EXPORT: "export grades and import files of other systems",
    Scope.MANAGE_COURSE: "change dates, points and roles",
    Scope.OPERATE: "see and control the queue, workers and the server",
}
"""Each scope in words, for the documentation."""

_OF_OBSERVER = frozenset({Scope.SELF, Scope.READ_COURSE})
_OF_ASSISTANT = _OF_OBSERVER | {Scope.GRADE, Scope.ROSTER, Scope.EXPORT}

INVITED_BY: Mapping[Role, frozenset[Role]] = {
    Role.STUDENT: frozenset(),
    Role.OBSERVER: frozenset(),
    Role.ASSISTANT: frozenset({Role.STUDENT}),
    Role.INSTRUCTOR: frozenset(Role),
}
"""Whom each role may make links for: a link signs in as another person, so no person may gain a scope by one."""

SCOPES_OF: Mapping[Role, frozenset[Scope]] = {
    Role.STUDENT: frozenset({Scope.SELF, Scope.SUBMIT, Scope.READ_OWN}),
    Role.OBSERVER: _OF_OBSERVER,
    Role.ASSISTANT: _OF_ASSISTANT,
    Role.INSTRUCTOR: _OF_ASSISTANT | {Scope.MANAGE_COURSE, Scope.OPERATE},
}
"""The scopes of each role."""
