"""``scores.json`` of a classroom (``classroom50/scores/v1``): entries that its collector then leaves alone."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from grader.errors import UserError
from grader.lms.classroom50.result import ResultContext, result
from grader.lms.gradebooks.entry import Entry
from grader.lms.words import System

SCHEMA = "classroom50/scores/v1"


def scores_with(
    data: bytes, entries: tuple[Entry, ...], classroom: str, assignment: str, at: datetime
) -> tuple[bytes, tuple[Entry, ...]]:
    """``data`` with the points of ``entries``, and the entries that are of nobody in the file.

    An entry is marked as overridden, so that the collector keeps it; of a submission that is there, only its points
    change. The rest of the document stays.

    Raises: ``UserError`` if ``data`` is no such document.
    """
    document = _parsed(data)
    assignments = document.setdefault("assignments", {})
    listed = assignments.setdefault(assignment, {"type": "individual"}).setdefault("entries", [])
    by_login = {login.casefold(): entry for entry in listed for login in _logins(entry)}
    left = []
    for each in entries:
        logins = each.ids.get(System.GITHUB, ())
        if each.points is None or not logins:
            left.append(each)
            continue
        known = next((by_login[login.casefold()] for login in logins if login.casefold() in by_login), None)
        if known is None:
            known = {"owner": logins[0]}
            listed.append(known)
        graded = _graded(each, str(known["owner"]), classroom, assignment, at)
        known["submissions"] = _newest_with(graded, known.get("submissions") or [])
        known["override"] = True
    return json.dumps(document, indent=2, allow_nan=False).encode() + b"\n", tuple(left)


def _parsed(data: bytes) -> dict[str, Any]:
    try:
        document = json.loads(data) if data.strip() else {"schema": SCHEMA, "assignments": {}}
    except ValueError as error:
        msg = f"The file is no JSON: {error}."
        raise UserError(msg, hint="Name the scores.json of the classroom.") from error
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        msg = f"The file has not the schema {SCHEMA}."
        raise UserError(msg, hint="Name the scores.json of the classroom.")
    if not isinstance(document.get("assignments", {}), dict) or "submissions" in document:
        msg = "The scores are not listed by assignment, as classroom50 has them today."
        raise UserError(msg, hint="Run its collector once, and name the file that it wrote.")
    return document


def _logins(entry: Mapping[str, Any]) -> list[str]:
    return [str(entry.get("owner", "")), *map(str, entry.get("member_usernames") or [])]


def _graded(entry: Entry, owner: str, classroom: str, assignment: str, at: datetime) -> dict[str, Any]:
    """The record of a submission with the points of ``entry``."""
    manual = f"submit/manual-{at.astimezone(UTC):%Y-%m-%dT%H-%M-%S}"
    context = ResultContext(
        classroom=classroom, assignment=assignment, submission=manual, commit=manual, release=manual
    )
    return {"owner": owner, **result(context, (), entry.points or 0.0, entry.max_points, at)}


def _newest_with(
    graded: Mapping[str, Any], submissions: Sequence[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """``submissions`` with the points of ``graded`` in the newest, or ``graded`` if there is none."""
    if not submissions:
        return [graded]
    points = {key: graded[key] for key in ("score", "max-score", "tests")}
    return [{**submissions[0], **points}, *submissions[1:]]
