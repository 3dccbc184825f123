"""``submission_metadata.json``: who submits, when, and what they submitted before."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from grader.errors import UserError


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviousSubmission:
    """An earlier submission of the same people, with the results that Gradescope keeps of it.

    ``failed``: the autograder failed on it, so that it counts for no limit.
    """

    submitted_at: datetime
    results: dict[str, Any]
    failed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """One submission. ``student`` is the address of its first submitter, or what else Gradescope knows them by."""

    student: str
    submitted_at: datetime
    previous: tuple[PreviousSubmission, ...]


def read_metadata(data: bytes) -> Metadata:
    """The metadata in ``data``; fields that Gradescope adds are ignored. Raises: ``UserError`` if it is damaged."""
    try:
        content = json.loads(data)
        users = content.get("users") or [{}]
        user = users[0]
        return Metadata(
            student=str(user.get("email") or user.get("id") or user.get("name") or "student"),
            submitted_at=_time(content["created_at"]),
            previous=tuple(_previous(each) for each in content.get("previous_submissions") or ()),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        msg = f"submission_metadata.json is not as Gradescope writes it: {type(error).__name__}: {error}."
        raise UserError(msg, hint="Compare it with Gradescope's documentation of the autograder.") from error


def _previous(content: dict[str, Any]) -> PreviousSubmission:
    results = content.get("results") or {}
    return PreviousSubmission(
        submitted_at=_time(content["submission_time"]),
        results=results if isinstance(results, dict) else {},
        failed=bool(content.get("autograder_error")) or not results,
    )


def _time(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        msg = f"{text!r} has no time zone"
        raise ValueError(msg)
    return moment
