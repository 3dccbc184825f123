"""What a program may do with each scope, as a person reads it before they give it."""

from collections.abc import Collection, Mapping

from grader.model.reason import Reason, reason
from grader.policy.access import Scope

_WORDS: Mapping[Scope, Reason] = {
    Scope.SUBMIT: reason("may-submit"),
    Scope.READ_OWN: reason("may-read-own"),
    Scope.READ_COURSE: reason("may-read-course"),
    Scope.GRADE: reason("may-grade"),
    Scope.ROSTER: reason("may-roster"),
    Scope.EXPORT: reason("may-export"),
    Scope.MANAGE_COURSE: reason("may-manage"),
    Scope.OPERATE: reason("may-operate"),
    Scope.SELF: reason("may-change-account"),
}
"""From the least that a token should have to the most."""


def scope_words(scopes: Collection[Scope]) -> Mapping[Scope, Reason]:
    """Those of ``scopes`` with their words, the most harmless first."""
    return {scope: said for scope, said in _WORDS.items() if scope in scopes}
