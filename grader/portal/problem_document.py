"""What a program reads where a person reads a page about a problem."""

from collections.abc import Mapping
from http import HTTPStatus

import msgspec

from grader.api.problems import ErrorDocument, Problem
from grader.messages import Speech
from grader.model.reason import AS_WRITTEN, Reason

_CODES: Mapping[int, str] = {
    HTTPStatus.BAD_REQUEST: "refused",
    HTTPStatus.NOT_FOUND: "not-found",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "too-large",
    HTTPStatus.TOO_MANY_REQUESTS: "too-often",
    HTTPStatus.INTERNAL_SERVER_ERROR: "fault",
}
"""The codes of refusals that have none of their own."""


def problem_document(status: int, why: Reason, hint: str, language: str) -> bytes:
    """The document that says ``why`` in ``language``. A code of its own says more than the status."""
    has_code = why.code != AS_WRITTEN and not why.code.startswith("portal-")
    code = why.code if has_code else _CODES.get(status, "refused")
    problem = Problem(code=code, message=Speech(language)(why), hint=hint)
    return msgspec.json.encode(ErrorDocument(error=problem))
